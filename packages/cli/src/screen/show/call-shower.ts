import type { Block, Json, Tool, ToolCall, ToolResult, View } from '@nacre/core'
import type { LiveCall } from '../state/screen-state.js'
import type { ScreenStore } from '../state/screen-store.js'
import { cutLine } from '../text/cut-line.js'
import { span } from '../text/span.js'
import { callTitle } from './call-title.js'
import { resultLines } from './result-lines.js'

/** Shows calls while they run, and what came of them. */
export interface CallShower {
  /** An answer that asks for calls: also those that will not run are accounted for. */
  expect(content: readonly Block[]): void
  start(call: ToolCall): void
  progress(call: ToolCall, text: string): void
  end(call: ToolCall, result: ToolResult): void
  /** A turn is over: calls that did not run are shown with what the model was told. */
  settle(): void
}

/** What is known of the session whose calls they are. */
export interface CallSource {
  tool(name: string): Tool | undefined
  view(): View
}

export function callShower(store: ScreenStore, source: CallSource, width: () => number): CallShower {
  let expected: readonly ToolCall[] = []
  const live = (calls: readonly LiveCall[]) => store.live({ calls })
  const running = () => store.state().live.calls
  const show = (call: ToolCall, result: ToolResult) => {
    expected = expected.filter(({ id }) => id !== call.id)
    live(running().filter(({ id }) => id !== call.id))
    const tool = source.tool(call.name)
    const mark = result.isError ? span('✗ ', 'red') : span('✓ ', 'green')
    const title = cutLine([mark, span(callTitle(call, tool), 'bold')], width() - 1)
    store.print([[], title, ...resultLines(call, result, tool, width() - 1)])
  }
  return {
    expect(content) {
      expected = content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ id: String(block.id), name: String(block.name), input: (block.input ?? null) as Json }]
          : [],
      )
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
      for (const call of expected) {
        const result = resultIn(source.view(), call.id)
        if (result) show(call, result)
      }
      expected = []
      if (running().length > 0) live([])
    },
  }
}

function resultIn(view: View, id: string): ToolResult | undefined {
  const entries = view.rounds.at(-1)?.entries ?? []
  const before = view.rounds.at(-2)?.entries ?? []
  const block = [...before, ...entries].flatMap(({ content }) => content).find(({ tool_use_id }) => tool_use_id === id)
  if (!block) return undefined
  const content = typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content
  return { content: (content ?? []) as readonly Block[], ...(block.is_error === true && { isError: true }) }
}
