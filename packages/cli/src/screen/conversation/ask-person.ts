import type { PersonVerdict, SessionSummary, Source, Tool, ToolCall } from '@nacre/core'
import { type Answer, type Cage, type Question, suggestRule } from '@nacre/tools'
import type { OpenNeeds } from '../../session/opened-session.js'
import { cleanText } from '../../terminal/clean-text.js'
import { sizeOf, type Terminal } from '../../terminal/terminal.js'
import type { TrustQuestion } from '../../trust/decide-trust.js'
import type { Dialogs } from '../state/dialogs.js'
import type { ChoiceOption, Picked, ScreenStore } from '../state/screen-state.js'
import { cutLine, plainLines, span } from '../text/lines.js'
import { callTitle, previewLines } from './show-calls.js'

/** The person in front of the screen, and the ways to reach them. */
export interface Person {
  readonly terminal: Terminal
  readonly store: ScreenStore
  readonly dialogs: Dialogs
  /** Falls when the screen ends. */
  readonly signal: AbortSignal
}

/** What is known of the session by the time a call asks. */
interface AskingSession {
  tool(name: string): Tool | undefined
  addRule(rule: string): Promise<void>
  /** Where a call would run; nothing for one that is no command. */
  cageOf(call: ToolCall): Promise<Cage | 'outside' | undefined>
}

/** What a session may ask of the person in front of the screen. */
export function askPerson(person: Person, session: AskingSession): OpenNeeds {
  const { dialogs, store, terminal, signal } = person
  const printed = new Set<string>()
  return {
    ask: (call, reason, stopped, source) => askPermission(person, session, { call, reason, source }, stopped),
    askHost: (host, port) => askHost(person, session, host, port),
    askUser: (questions, stopped) => askQuestions(dialogs, questions, stopped),
    trustAsked: (question) => askTrust(dialogs, question, signal),
    pickSession: (sessions) => pickSession(dialogs, sessions, signal),
    report({ message }) {
      // What fails at every turn would fill the screen; /plugins says how often it was.
      if (printed.has(message)) return
      printed.add(message)
      store.print(plainLines(message, sizeOf(terminal.stdout).columns, 'yellow'))
    },
  }
}

/** What a dialog takes beside what it is about. */
const DIALOG_ROWS = 12

/** Asks whether a call may run. A person who leaves has said no. */
async function askPermission(
  { dialogs, store, terminal }: Person,
  { tool, addRule, cageOf }: AskingSession,
  { call, reason, source }: { readonly call: ToolCall; readonly reason: string; readonly source: Source },
  signal: AbortSignal,
): Promise<PersonVerdict> {
  const title = callTitle(call, tool(call.name))
  const { columns, rows } = sizeOf(terminal.stdout)
  const whole = previewLines(call, columns - 1)
  // Nobody can allow what is cut off: what does not fit into the dialog is printed before it.
  const isAbove = whole.length > rows - DIALOG_ROWS
  if (isAbove) store.print([[], [span(title, 'bold')], ...whole])
  const agent = source.startsWith('agent:') ? cleanText(source.slice('agent:'.length)) : undefined
  const cage = await cageOf(call)
  // A rule alone lets nothing out of the sandbox.
  const rule = cage === 'outside' ? undefined : suggestRule(call, terminal.cwd)
  const answers = permissionAnswers(rule, addRule)
  const picked = await dialogs.choose(
    {
      title: agent === undefined ? `May it run? ${title}` : `Agent ${agent} asks: May it run? ${title}`,
      body: (width) => [
        ...(isAbove ? plainLines('All that it would do stands above.', width) : previewLines(call, width)),
        ...plainLines(reason, width, 'dim'),
        ...(cage === undefined ? [] : [cutLine([span(whereItRuns(cage), 'dim')], width)]),
      ],
      leaving: agent === undefined ? 'Esc says no and interrupts' : 'Esc says no',
      ...(agent !== undefined && { isBeside: true as const }),
      options: answers.map(({ option }) => option),
    },
    signal,
  )
  return answers[picked?.options[0] ?? -1]?.verdict(picked?.text) ?? 'deny'
}

function whereItRuns(cage: Cage | 'outside'): string {
  if (cage === 'outside') return 'It runs outside of the sandbox.'
  return cage.kind === 'work' ? 'In the sandbox, may write in the workspace.' : 'In the sandbox, may only read.'
}

interface PermissionAnswer {
  readonly option: ChoiceOption
  verdict(text?: string): PersonVerdict | Promise<PersonVerdict>
}

/** `rule`: what 'always' would allow; nothing where no rule says it plainly. */
function permissionAnswers(rule: string | undefined, addRule: AskingSession['addRule']): readonly PermissionAnswer[] {
  const always = (allowed: string): PermissionAnswer => ({
    option: { label: `Yes, and always in this session: ${allowed}`, key: 'a' },
    async verdict(): Promise<PersonVerdict> {
      await addRule(allowed)
      return 'allow'
    },
  })
  return [
    { option: { label: 'Yes, once', key: 'y' }, verdict: () => 'allow' },
    ...(rule === undefined ? [] : [always(rule)]),
    { option: { label: 'No', key: 'n' }, verdict: () => 'deny' },
    {
      option: { label: 'No, and say why', key: 'w', wantsText: true },
      verdict: (text) => (text ? { deny: text } : 'deny'),
    },
  ]
}

/** Asks whether commands may reach a host, while one of them waits for it. Whoever leaves has said no, and nothing stops. */
async function askHost(
  { dialogs, signal }: Person,
  { addRule }: AskingSession,
  host: string,
  port: number,
): Promise<boolean> {
  const rule = `Network(domain:${host})`
  const picked = await dialogs.choose(
    {
      title: `May commands reach ${cleanText(host)}:${port}?`,
      body: (width) =>
        plainLines('A command in the sandbox waits for it. The answer holds for the whole host.', width, 'dim'),
      options: [
        { label: 'Yes, for now', key: 'y' },
        { label: `Yes, and always in this session: ${cleanText(rule)}`, key: 'a' },
        { label: 'No', key: 'n' },
      ],
      leaving: 'Esc says no',
      isBeside: true,
    },
    signal,
  )
  const [at] = picked?.options ?? []
  // An address that no rule can name is allowed for now.
  if (at === 1) await addRule(rule).catch(() => undefined)
  return at === 0 || at === 1
}

/** Shows the questions of the model one after the other. Leaving one leaves them all. */
async function askQuestions(
  dialogs: Dialogs,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<readonly Answer[] | undefined> {
  const answers: Answer[] = []
  for (const question of questions) {
    const { header, options, multiSelect } = question
    const own = { label: 'In my own words', wantsText: true }
    const picked = await dialogs.choose(
      {
        title: cleanText(header),
        body: (width) => plainLines(question.question, width),
        options: [
          ...options.map(({ label, description }) => ({
            label: cleanText(label),
            description: cleanText(description).replace(/\s+/g, ' '),
          })),
          own,
        ],
        isMulti: multiSelect,
        leaving: 'Esc answers none and interrupts',
      },
      signal,
    )
    if (!picked) return undefined
    answers.push(answerOf(question, picked))
  }
  return answers
}

function answerOf({ options }: Question, { options: places, text }: Picked): Answer {
  const selected = places.flatMap((place) => options[place]?.label ?? [])
  return text ? { selected, text } : { selected }
}

/** Asks whether what a folder brings may take effect. A person who leaves has said no. */
async function askTrust(dialogs: Dialogs, { folder, items }: TrustQuestion, signal: AbortSignal): Promise<boolean> {
  const picked = await dialogs.choose(
    {
      title: `Do you trust ${folder}?`,
      body: (width) => [
        ...plainLines('It brings along what would run on this machine or be allowed without asking:', width),
        ...items.flatMap(({ what, file }) => plainLines(`- ${what} (${file})`, width, 'dim')),
      ],
      options: [
        { label: 'No, go on without it', key: 'n' },
        { label: 'Yes, from now on', key: 'y' },
      ],
      leaving: 'Esc says no',
    },
    signal,
  )
  return picked?.options[0] === 1
}

const MOST = 9

/** Lets a person choose a session; `undefined` for none of them. */
async function pickSession(
  dialogs: Dialogs,
  sessions: readonly SessionSummary[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const offered = sessions.slice(0, MOST)
  const picked = await dialogs.choose(
    {
      title: 'Which session?',
      body: () => [],
      options: offered.map(({ id, title }) => ({ label: cleanText(title ?? id).replace(/\s+/g, ' ') })),
    },
    signal,
  )
  return offered[picked?.options[0] ?? -1]?.id
}
