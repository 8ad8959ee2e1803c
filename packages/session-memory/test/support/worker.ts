import type { Tool } from '@nacre/core'
import { type Block, offline, type SimulatedModel } from '@nacre/simulator'

const notes = offline()

/** Reads files for as many turns as it is asked for, then says that it is done; its notes are written by the offline model. */
export function worker(): SimulatedModel {
  return (turn) => {
    if (turn.source === 'session_memory') return notes(turn)
    const calls = turn.messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_use')
    const results = turn.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result') ?? []
    const prompts = turn.messages.flatMap(({ role, content }) =>
      role === 'user' ? content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])) : [],
    )
    const wanted = Number(/Read (\d+) files/.exec(prompts.findLast((text) => text.includes('Read ')) ?? '')?.[1] ?? 0)
    const [result] = results
    const last = Number(/^file (\d+)/.exec(textOf(result))?.[1] ?? 0)
    if (last >= wanted) return `Done after ${calls.length} calls.`
    const number = last + 1
    // An id of its own: those of the server depend on how many others have asked it meanwhile.
    const id = `toolu_file${number}`
    const thought = turn.thinks ? [{ type: 'thinking' as const, thinking: `File ${number} is next.` }] : []
    return [
      ...thought,
      'Next.',
      { type: 'tool_use', id, name: 'read_file', input: { path: `src/part-${number}.ts`, number } },
    ]
  }
}

function textOf(result: Block | undefined): string {
  const [block] = (result?.content ?? []) as { readonly text?: string }[]
  return block?.text ?? ''
}

/** Gives so many words for each file. */
export function readFileTool(words = 300): Tool<{ path: string; number: number }> {
  return {
    name: 'read_file',
    description: 'Reads a file.',
    schema: {
      json: {
        type: 'object',
        properties: { path: { type: 'string' }, number: { type: 'number' } },
        required: ['path'],
      },
      parse: (input) => input as { path: string; number: number },
    },
    isCompactable: true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    run: ({ number }) => ({ content: [{ type: 'text', text: `file ${number}: ${'const a = 1 '.repeat(words / 4)}` }] }),
  }
}
