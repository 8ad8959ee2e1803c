import type { Tool, ToolCall, ToolResult } from '@nacre/core'
import type { ShownTool } from '@nacre/tools'
import { cleanText } from '../../text/clean-text.js'
import { cutLine } from '../text/cut-line.js'
import { type Line, type Span, span } from '../text/span.js'
import { textOfBlocks } from './text-of-blocks.js'

const SHOWN = 40
const SHOWN_PLAIN = 6

/** What a person sees of a result: changes of files in colours, of the rest the beginning. */
export function resultLines(call: ToolCall, result: ToolResult, tool: Tool | undefined, width: number): Line[] {
  const text = cleanText(shownText(call, result, tool)).trimEnd()
  if (text === '') return []
  const isPatch = /^@@ /m.test(text)
  const lines = text.split('\n')
  const most = isPatch ? SHOWN : SHOWN_PLAIN
  const more = lines.length - most
  const kept = more > 1 ? lines.slice(0, most) : lines
  const shown = kept.map((line) => (result.isError ? span(line, 'red') : isPatch ? patchSpan(line) : span(line, 'dim')))
  return [...shown, ...(more > 1 ? [span(`… ${more} more lines`, 'dim')] : [])].map((line) =>
    cutLine([span('  '), line], width),
  )
}

function shownText(call: ToolCall, result: ToolResult, tool: Tool | undefined): string {
  const shown = tool as Partial<ShownTool> | undefined
  if (!tool || !shown?.show || result.isError) return textOfBlocks(result.content)
  try {
    return shown.show(tool.schema.parse(call.input), result)
  } catch {
    return textOfBlocks(result.content)
  }
}

/** A line of a unified diff. */
function patchSpan(line: string): Span {
  if (line.startsWith('@@')) return span(line, 'cyan')
  if (line.startsWith('+')) return span(line, 'green')
  return line.startsWith('-') ? span(line, 'red') : span(line, 'dim')
}
