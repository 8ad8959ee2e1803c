import type { Block, ModelTurn, OfflineJob, ReplyBlock } from '@nacre/simulator'
import { offlineTasks } from './offline-tasks.js'

/** Said with each answer, so that nobody takes rules for a language model. */
const PLAINLY = 'This is the offline model: no language model answers, only rules.'
const KNOWN = `It knows these jobs:\n${offlineTasks.map(({ example }) => `- ${example}`).join('\n')}`

/** The jobs that the offline model can really do, with the tools of the session. */
export const offlineJobs: readonly OfflineJob[] = [
  { name: 'report', recognises: (turn) => isMain(turn) && resultIn(turn) !== undefined, answer: report },
  ...offlineTasks.map(
    ({ name, tool, read }): OfflineJob => ({
      name,
      recognises: (turn) => isMain(turn) && read(promptOf(turn)) !== undefined,
      answer: (turn): readonly ReplyBlock[] => {
        const input = read(promptOf(turn))
        const isThere = turn.tools.some((each) => each.name === tool)
        if (input === undefined || !isThere) return [`${PLAINLY} It has no tool ${tool} here.`]
        return [{ type: 'tool_use', name: tool, input }]
      },
    }),
  ),
  { name: 'introduce', recognises: isMain, answer: (turn) => introduce(turn) },
]

/** Summaries and notes are made by rules of their own. */
function isMain({ source, purpose, messages }: ModelTurn): boolean {
  const last = textsOf(messages.at(-1)?.content ?? []).at(-1) ?? ''
  return source === 'main' && purpose === 'message' && !/<summary>/.test(last)
}

function report(turn: ModelTurn): string {
  const { text = '', isError } = resultIn(turn) ?? {}
  if (isError) return `${PLAINLY} The tool failed:\n\n${shortened(text)}`
  return `${text.trim() === '' ? '(nothing)' : shortened(text)}\n\n${PLAINLY} What stands above is what the tool gave.`
}

/** Nobody reads more than that of an answer. */
const MOST = 4_000

function shortened(text: string): string {
  if (text.length <= MOST) return text
  const end = text.lastIndexOf('\n', MOST)
  return `${text.slice(0, end > 0 ? end : MOST)}\n… ${text.length - MOST} more characters`
}

function introduce(turn: ModelTurn): string {
  const asked = promptOf(turn)
  const what = asked === '' ? '' : ` It knows no job that fits "${asked.slice(0, 80)}".`
  return `${PLAINLY}${what} ${KNOWN}\nWith ANTHROPIC_API_KEY set and without --offline, a model answers.`
}

/** What the person said last, without what the runtime has put beside it. */
function promptOf({ messages }: ModelTurn): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return (
    textsOf(last?.content ?? [])
      .find((text) => !text.startsWith('<'))
      ?.trim() ?? ''
  )
}

/** The result that the last message brings, where it brings one. */
function resultIn({ messages }: ModelTurn): { readonly text: string; readonly isError: boolean } | undefined {
  const last = messages.findLast(({ role }) => role === 'user')
  const result = last?.content.find(({ type }) => type === 'tool_result')
  if (!result) return undefined
  const { content } = result
  const text = typeof content === 'string' ? content : textsOf((content ?? []) as readonly Block[]).join('\n')
  return { text, isError: result.is_error === true }
}

function textsOf(content: readonly Block[]): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}
