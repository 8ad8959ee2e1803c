import type { Inspection, ModelInfo, SessionSummary } from '@nacre/core'
import type { Diagnosis } from '../session/opened-session.js'
import { takeUp } from '../session/outdated.js'
import { cleanText } from '../terminal/clean-text.js'
import { SHORTEST_ID } from './find-entry.js'
import { type Colour, cutText, figures, padText, paint, shortId, wrapText } from './format.js'
import { misuse, type SlashCommand, type SlashContext, type SlashOutput, say, startingWith } from './slash-command.js'

/** How many are listed: those that one still remembers. */
const LISTED = 20

/** Lists the other sessions of the project, and opens one instead of this one. */
export const resumeCommand: SlashCommand = {
  name: 'resume',
  help: 'Lists other sessions of this project; with a number, an id or words of a title, opens that one instead.',
  example: '/resume login bug',
  async run(args, context) {
    const sessions = await otherSessions(context)
    if (args === '') return listed(sessions, context)
    const found = matching(args, sessions)
    const [first] = found
    if (first === undefined)
      return misuse(`No other session of this project is about '${args}'.`, resumeCommand, context)
    if (found.length > 1) return listed(found, context)
    return { ...say(`Opens '${cutText(cleanText(first.title), 60)}'.`, context), next: { open: { resume: first.id } } }
  },
}

async function otherSessions({ opened, signal }: SlashContext): Promise<readonly SessionSummary[]> {
  const sessions: SessionSummary[] = []
  for await (const summary of opened.controls.store.list()) {
    signal.throwIfAborted()
    if (summary.id !== opened.session.id) sessions.push(summary)
  }
  return sessions
}

function matching(args: string, sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const byNumber = /^\d{1,2}$/.test(args) ? sessions.slice(0, LISTED)[Number(args) - 1] : undefined
  if (byNumber) return [byNumber]
  const byId = sessions.filter(({ id }) => id === args || (args.length >= SHORTEST_ID && id.startsWith(args)))
  const exact = byId.filter(({ id }) => id === args)
  if (byId.length > 0) return exact.length > 0 ? exact : byId
  const words = args.toLowerCase().split(/\s+/)
  return sessions.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

function listed(sessions: readonly SessionSummary[], context: SlashContext): SlashOutput {
  if (sessions.length === 0) return say('There are no other sessions of this project.', context)
  const shown = sessions.slice(0, LISTED)
  const numbers = String(shown.length).length
  const lines = shown.map(({ id, time, title }, index) => {
    const number = padText(String(index + 1), numbers, 'right')
    const when = new Date(time).toISOString().slice(0, 16).replace('T', ' ')
    const head = context.width >= 60 ? `${number}  ${shortId(id)}  ${when}  ` : `${number}  `
    return head + cutText(cleanText(title), Math.max(4, context.width - head.length))
  })
  const more = sessions.length > LISTED ? ` ${sessions.length - LISTED} more are older.` : ''
  const hint = say(`/resume with a number, an id or words of a title opens one.${more}`, context).text
  return { text: [...lines, hint].join('\n') }
}

/** Goes on with the system prompt and the tools of today, where the session began with others. */
export const takeUpCommand: SlashCommand = {
  name: 'take-up',
  help: 'Goes on with the system prompt and the tools of today, where the session began with others.',
  example: '/take-up',
  async run(args, context) {
    if (args !== '') return misuse('It takes nothing: all of the prompt is taken up.', takeUpCommand, context)
    return say(await takeUp(context.opened.session), context)
  },
}

/** Shows the model, or goes on with another one. */
export const modelCommand: SlashCommand = {
  name: 'model',
  help: 'Shows the model with its window and prices; with a name, goes on with that one from the next turn.',
  example: '/model claude-sonnet-4-6',
  complete: (typed, { opened }) => startingWith(typed, opened.controls.modelNames()),
  async run(args, context) {
    const { session, controls } = context.opened
    const { model: before, cache } = await session.inspect()
    if (args === '')
      return say(`${described(before, cache.ttl)}\nThere are: ${controls.modelNames().join(', ')}.`, context)
    if (/\s/.test(args)) return misuse(`'${args}' is not the name of a model.`, modelCommand, context)
    const model = await controls.makeModel(args)
    if (model.info.id === before.id) return say(`The model is ${before.id} already.`, context)
    context.signal.throwIfAborted()
    await session.setModel(model)
    const cost = 'It has a cache of its own: the next turn writes the whole conversation to it.'
    return say(`From the next turn on: ${described(model.info, cache.ttl)} ${cost}`, context)
  },
}

function described({ id, window, price }: ModelInfo, ttl: Inspection['cache']['ttl']): string {
  const { input, output, read, write5m, write1h } = price(0)
  const write = ttl === '1h' ? write1h : write5m
  const prices = `$${input} input, $${read} cache read, $${write} cache write, $${output} output for a million`
  return `${id}, a window of ${figures.count(window)} tokens, ${prices}.`
}

const MARKS: Readonly<Record<Diagnosis['status'], readonly [mark: string, colour: Colour]>> = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  failed: ['failed', 'red'],
}

/** Looks at what the program needs to work. */
export const doctorCommand: SlashCommand = {
  name: 'doctor',
  help: 'Checks what the program needs to work, and says what to do where something is wrong.',
  example: '/doctor',
  async run(args, context) {
    if (args !== '') return misuse('/doctor takes no arguments.', doctorCommand, context)
    const { controls, isOffline } = context.opened
    const found = await controls.diagnose(context.signal)
    const shown = isOffline ? found.map(withoutKey) : found
    return { text: shown.flatMap((diagnosis) => lines(diagnosis, context)).join('\n') }
  },
}

/** What is offline misses no key. */
function withoutKey(diagnosis: Diagnosis): Diagnosis {
  if (diagnosis.name !== 'key' || diagnosis.status === 'ok') return diagnosis
  return { name: 'key', status: 'ok', detail: 'none, and none is needed offline' }
}

function lines({ name, status, detail, remedy }: Diagnosis, { width, hasColour }: SlashContext): string[] {
  const [mark, colour] = MARKS[status]
  const [first = '', ...rest] = wrapText(cleanText(`${mark}  ${name}: ${detail}`), width)
  return [
    paint(mark, colour, hasColour) + first.slice(mark.length),
    ...rest.map((line) => `  ${line}`).flatMap((line) => wrapText(line, width)),
    ...(remedy === undefined ? [] : wrapText(cleanText(remedy), width, 2)),
  ]
}

/** Ends the program. */
export const exitCommand: SlashCommand = {
  name: 'exit',
  help: 'Ends the program; the session can be resumed.',
  example: '/exit',
  run: async () => ({ text: '', next: { exit: true } }),
}
