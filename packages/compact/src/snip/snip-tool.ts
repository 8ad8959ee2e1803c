import type { Tool, ToolResult, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { snipDraft } from './snip-draft.js'
import { snipSpan } from './snip-span.js'

export interface SnipInput {
  readonly from: string
  readonly to?: string
  readonly reason: string
}

const DESCRIPTION = [
  'Takes finished rounds of this conversation out of your context, from the next request on: dead ends, or output that is of no more use.',
  'Name the first and the last of them by the id of a tool call, by an entry id, or by quoting how a message begins.',
  'What the user said stays in view, and a note with your reason stands in their place.',
].join(' ')

/** Lets the model take rounds out of its own view. */
export function snipTool(parts: Parts): Tool<SnipInput> {
  return {
    name: 'Snip',
    description: DESCRIPTION,
    schema: {
      json: {
        type: 'object',
        properties: {
          from: { type: 'string', description: 'The first round.' },
          to: { type: 'string', description: 'The last round; the first alone unless given.' },
          reason: { type: 'string', description: 'What was found out, or why it is of no more use: one sentence.' },
        },
        required: ['from', 'reason'],
        additionalProperties: false,
      },
      parse: parseInput,
    },
    // It changes the view alone, and can be taken back; but what it names must not change meanwhile.
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    run: (input, { callId }) => snip(parts, input, callId),
  }
}

function parseInput(input: unknown): SnipInput {
  const { from, to, reason } = Object(input)
  if (!isText(from)) throw new Error('from has to be a text: an id, or how a message begins')
  if (to !== undefined && !isText(to)) throw new Error('to has to be a text: an id, or how a message begins')
  if (!isText(reason)) throw new Error('reason has to be a text: one sentence')
  return { from, reason, ...(to !== undefined && { to }) }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function snip(parts: Parts, { from, to, reason }: SnipInput, callId: string): ToolResult {
  const context = parts.context()
  if (!context) return failure('There is no session to snip from.')
  const view = context.view()
  if (!isCalledIn(view, callId)) return failure('Beside the conversation nothing can be snipped from it.')
  const found = snipSpan(view, from, to)
  if ('problem' in found) return failure(found.problem)
  const made = snipDraft(view, found, { why: reason, recall: parts.recall() })
  if ('problem' in made) return failure(made.problem)
  // It is answered between two requests, and the next one waits for this call: nobody may wait for it here.
  void context.propose(made.draft).then((edit) => ('refused' in edit ? tell(parts, edit.refused) : undefined))
  return { content: [{ type: 'text', text: `Left out from the next request on: ${made.summary}.` }] }
}

/** A fork has the same tools, but its calls stand in a log of its own. */
function isCalledIn({ rounds }: View, callId: string): boolean {
  const open = rounds.at(-1)?.entries ?? []
  return open.some(({ content }) => content.some(({ type, id }) => type === 'tool_use' && id === callId))
}

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The model sees that the rounds are still there; people read why. */
async function tell({ store }: Parts, reason: string): Promise<void> {
  const text = `What the model wanted to snip is still in view: ${reason}`
  await store.append([{ kind: 'notice', owner: 'compact', level: 'warning', text, id: '', time: 0 }])
}
