import type { Block, Json, Tool, ToolCall, ToolResult } from '@nacre/core'
import type { ShownTool } from '@nacre/tools'
import { cleanText } from '../../terminal/clean-text.js'
import type { LiveCall, ScreenStore } from '../state/screen-state.js'
import { cutLine, type Line, plainLines, type Span, span, wrapLine } from '../text/lines.js'
import { textOfBlocks } from './message-lines.js'

/** Shows calls while they run, and what came of them. */
export interface CallDisplay {
  /** An answer that asks for calls. What began in one that broke off is no call of the conversation. */
  expect(content: readonly Block[]): void
  start(call: ToolCall): void
  progress(call: ToolCall, text: string): void
  end(call: ToolCall, result: ToolResult): void
  /** A turn is over: nothing runs any more. */
  settle(): void
}

/** What is known of the session whose calls they are. */
export interface CallSource {
  tool(name: string): Tool | undefined
}

export function callDisplay(store: ScreenStore, source: CallSource, width: () => number): CallDisplay {
  let expected: ReadonlySet<string> = new Set()
  const live = (calls: readonly LiveCall[]) => store.live({ calls })
  const running = () => store.state().live.calls
  const show = (call: ToolCall, result: ToolResult) => {
    live(running().filter(({ id }) => id !== call.id))
    if (!expected.has(call.id)) return
    const tool = source.tool(call.name)
    const mark = result.isError ? span('✗ ', 'red') : span('✓ ', 'green')
    const title = cutLine([mark, span(callTitle(call, tool), 'bold')], width() - 1)
    store.print([[], title, ...resultLines(call, result, tool, width() - 1)])
  }
  return {
    expect(content) {
      expected = new Set(content.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])))
    },
    start(call) {
      live([
        ...running().filter(({ id }) => id !== call.id),
        { id: call.id, title: callTitle(call, source.tool(call.name)) },
      ])
    },
    progress(call, text) {
      const last = text.trimEnd().split('\n').at(-1) ?? ''
      live(running().map((each) => (each.id === call.id ? { ...each, progress: last } : each)))
    },
    end: show,
    settle() {
      if (running().length > 0) live([])
    },
  }
}

/** One line that says what a call does; tools that are not ours are named with their first input. */
export function callTitle(call: ToolCall, tool?: Tool): string {
  return cleanText(ownTitle(call, tool) ?? plainTitle(call)).replace(/\s+/g, ' ')
}

function ownTitle(call: ToolCall, tool: Tool | undefined): string | undefined {
  const shown = tool as Partial<ShownTool> | undefined
  if (!tool || !shown?.title) return undefined
  try {
    return shown.title(tool.schema.parse(call.input))
  } catch {
    // The input does not fit: the result will say so.
    return undefined
  }
}

function plainTitle({ name, input }: ToolCall): string {
  const [first] = Object.values(Object(input) as object).filter((value) => typeof value === 'string')
  return first === undefined ? name : `${name} ${first}`
}

const SHOWN = 40
const SHOWN_PLAIN = 6

/** What a person sees of a result: changes of files in colours, of the rest the beginning. */
function resultLines(call: ToolCall, result: ToolResult, tool: Tool | undefined, width: number): Line[] {
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

type Input = Readonly<Record<string, Json | undefined>>

/** What a call would do, for the person who has to allow it: whole, so that nothing hides behind its beginning. */
export function previewLines({ name, input }: ToolCall, width: number): Line[] {
  const fields = Object(input) as Input
  if (name === 'Bash') return plainLines(`$ ${String(fields.command ?? '')}`, width)
  if (name === 'Edit') return exchanged(fields, width)
  if (name === 'MultiEdit' && Array.isArray(fields.edits)) {
    return fields.edits.flatMap((edit) => exchanged(Object(edit) as Input, width))
  }
  if (name === 'Write') return signed('+', withoutEnd(String(fields.content ?? '')), width)
  return Object.entries(fields).flatMap(([key, value]) =>
    plainLines(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, width, 'dim'),
  )
}

function exchanged({ old_string, new_string }: Input, width: number): Line[] {
  const [before, after] = [String(old_string ?? ''), String(new_string ?? '')]
  // Where only one of them has a line end, that is a change too.
  const shown = before.endsWith('\n') === after.endsWith('\n') ? withoutEnd : (text: string) => text
  return [...signed('-', shown(before), width), ...signed('+', shown(after), width)]
}

/** The end of the last line begins no other. */
function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function signed(sign: '+' | '-', text: string, width: number): Line[] {
  if (text === '') return []
  return cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(`${sign}${line}`, sign === '+' ? 'green' : 'red')], width))
}
