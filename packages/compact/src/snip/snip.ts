import type { Command, HookContext, Round, Tool, ToolResult, View } from '@nacre/core'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { cutLine, formatCount } from '../text/format.js'
import { isComplete, roundWords } from '../view/rounds.js'
import { deadEndRelief } from './dead-ends.js'
import { snipDraft, snipSpan } from './snip-draft.js'

/** Leaves chosen rounds out of the view, without the model: by command, by the model's own choice, or as dead ends. */
export const snip = defineLayer('snip', { snip: true }, (layer) => {
  /** The session as its hooks meet it: a tool can propose nothing by itself. */
  let session: HookContext | undefined
  // The same lists each time: whoever looks compares them.
  const [on, off] = [[snipTool(layer, () => session)], []]
  return {
    commands: [snipCommand(layer)],
    get tools() {
      return layer.flag('snip') ? on : off
    },
    reliefs: [deadEndRelief(layer)],
    hooks: {
      SessionStart: (_event, context) => {
        session = context
      },
    },
  }
})

const HELP = [
  'snip list: the rounds in view, with short ids, sizes and first words.',
  'snip <id> [to <id>]: leaves that round, or those from one to the other, out of the view; a note stays in their place.',
  'What you said in them is kept in the note. Nothing is deleted: undo brings it back.',
].join('\n')

/** Lets people take rounds out of the view. */
function snipCommand({ flag, recall }: LayerContext): Command {
  return {
    name: 'snip',
    help: HELP,
    async run(args, context) {
      if (!flag('snip')) return 'Snipping is switched off by the flag compact.snip.'
      const words = args.trim().split(/\s+/)
      if (words[0] === '' || words[0] === 'help') return HELP
      if (words.length === 1 && words[0] === 'list') return listRounds(context.view())
      const range = rangeOf(words)
      return range ? snipRange(context, range, recall()) : `'snip ${args.trim()}' can not be read.\n${HELP}`
    },
  }
}

interface Range {
  readonly from: string
  readonly to: string
}

function rangeOf([from = '', to, last, ...rest]: readonly string[]): Range | undefined {
  if (to === undefined) return { from, to: from }
  return to === 'to' && last !== undefined && rest.length === 0 ? { from, to: last } : undefined
}

async function snipRange(context: HookContext, { from, to }: Range, recall: string | undefined): Promise<string> {
  const view = context.view()
  const found = snipSpan(view, from, to)
  if ('problem' in found) return found.problem
  const made = snipDraft(view, found, { why: 'taken out by the user', recall })
  if ('problem' in made) return made.problem
  const edit = await context.propose(made.draft)
  if ('refused' in edit) return `Not snipped: ${edit.refused}`
  return `Snipped: ${made.summary}. To take it back, undo ${edit.id}.`
}

const SHORTEST = 6
const WORDS = 72

/** The rounds in view for people: a short id that is enough to name each, its size, and how it begins. */
function listRounds(view: View): string {
  const { rounds } = view
  if (rounds.length === 0) return 'Nothing was said yet.'
  const length = shortLength(rounds)
  return rounds
    .map((round) => {
      const state = round.content || isComplete(round) ? '' : ' (open)'
      const size = `${formatCount(round.tokens)} tokens`.padStart(15)
      return `${round.span.from.slice(0, length)}${size}  ${cutLine(roundWords(view, round), WORDS)}${state}`
    })
    .join('\n')
}

/** How much of an id tells it from all others. */
function shortLength(rounds: readonly Round[]): number {
  const ids = [...new Set(rounds.flatMap(({ span, entries }) => [span.from, span.to, ...entries.map(({ id }) => id)]))]
  const longest = Math.max(...ids.map((id) => id.length))
  for (let length = SHORTEST; length < longest; length++) {
    if (new Set(ids.map((id) => id.slice(0, length))).size === ids.length) return length
  }
  return longest
}

interface SnipInput {
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
function snipTool({ recall }: LayerContext, session: () => HookContext | undefined): Tool<SnipInput> {
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
    run: (input, { callId }) => snipCalled(session(), input, callId, recall()),
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

function snipCalled(
  context: HookContext | undefined,
  { from, to, reason }: SnipInput,
  callId: string,
  recall: string | undefined,
): ToolResult {
  if (!context) return failure('There is no session to snip from.')
  const view = context.view()
  if (!isCalledIn(view, callId)) return failure('Beside the conversation nothing can be snipped from it.')
  const found = snipSpan(view, from, to)
  if ('problem' in found) return failure(found.problem)
  const made = snipDraft(view, found, { why: reason, recall })
  if ('problem' in made) return failure(made.problem)
  // It is answered between two requests, and the next one waits for this call: nobody may wait for it here.
  void context
    .propose(made.draft)
    .then((edit) => ('refused' in edit ? notifyRefused(context, edit.refused) : undefined))
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
async function notifyRefused({ store }: HookContext, reason: string): Promise<void> {
  const text = `What the model wanted to snip is still in view: ${reason}`
  await store.append([{ kind: 'notice', owner: 'compact', level: 'warning', text, id: '', time: 0 }])
}
