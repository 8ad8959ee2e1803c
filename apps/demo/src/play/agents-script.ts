import { type ModelTurn, type OfflineJob, offline, type Scenario } from '@nacre/simulator'
import { call, musing, seen } from './desks.js'

/** What the person says in the scene about agents, in this order. */
export const CHECK =
  'The fix goes out today. Read what prices an order, then let two agents look at tax and at shipping, both at once.'
export const WATCH = 'Let an agent watch the till in the background: at noon and in the evening it is closed.'
export const NARROW = 'Tell it that only orders with AUTUMN matter.'
export const LATE = 'Let another one wait for the till of Sunday, for one second at most.'
export const WHO = 'Who is at work for you?'

/** Names of the agents: two forks, one in the background, and one that does not get done. */
export const FORKS = ['tax', 'shipping'] as const
export const WATCHER = 'till'
export const LATECOMER = 'sunday'
/** Tills that the person closes; nobody closes that of Sunday. */
export const NOON = 'noon'
export const EVENING = 'evening'
/** Seconds. */
export const DEADLINE = 1

/** What the main agent writes to the one that runs, and what that one writes back. */
export const LETTER = 'Only orders with AUTUMN matter.'
export const REPLY = 'Understood: from now on only orders with AUTUMN.'
/** In a few words, for people. */
const WATCHING = 'watch the till'
/** What it is told when it is started. */
const TASK = `Wait with node bin/till.mjs ${NOON} and then ${EVENING} until the till is closed. Then price the orders again.`
/** How a view names the agent while it runs. */
export const IS_RUNNING = `- ${WATCHER} (general; ${WATCHING}) is running`

const READ = ['catalog', 'shipping', 'stock', 'loyalty', 'tax', 'coupons', 'cart']

const start = (input: object) => call('Agent', input)

const check: Scenario = {
  name: 'check',
  prompt: /let two agents look at/,
  steps: [
    ...READ.map((name, index) => [musing(name, index), call('Read', { file_path: `src/${name}.mjs` })]),
    [
      musing('Both know what I have read, so that each needs one sentence', READ.length),
      ...FORKS.map((name) =>
        start({ name, mode: 'fork', description: `look at ${name}`, prompt: `Is ${name} right after the fix?` }),
      ),
    ],
    ({ results }) => results.join(' '),
  ],
}

const till = (name: string) => call('Bash', { command: `node bin/till.mjs ${name}` })

const watch: Scenario = {
  name: 'watch',
  prompt: /Let an agent watch the till/,
  steps: [[startWatching()], 'It is at work, and I can do other things.'],
}

function startWatching() {
  return start({ name: WATCHER, run_in_background: true, description: WATCHING, prompt: TASK })
}

const narrow: Scenario = {
  name: 'narrow',
  prompt: /Tell it that only orders/,
  steps: [
    [call('SendMessage', { to: WATCHER, message: LETTER, summary: 'only orders with AUTUMN' })],
    ({ results }) => results.join(' '),
  ],
}

const answered: Scenario = {
  name: 'answered',
  prompt: new RegExp(`<message from="${WATCHER}"`),
  steps: [({ prompt }) => `It writes back: "${/>\n(.*)\n</.exec(prompt)?.[1]}"`],
}

const late: Scenario = {
  name: 'late',
  prompt: /wait for the till of Sunday/,
  steps: [
    [
      start({
        name: LATECOMER,
        deadline_seconds: DEADLINE,
        description: 'wait for Sunday',
        prompt: `Wait with node bin/till.mjs ${LATECOMER} until the till is closed.`,
      }),
    ],
    ({ results }) => results.join(' '),
  ],
}

/** A model that does not see that the agent runs would start it again, as a real one would. */
const who: Scenario = {
  name: 'who',
  prompt: /Who is at work for you/,
  steps: [
    (context) =>
      seen(context, new RegExp(`- ${WATCHER} \\(.*?\\) is running`))
        ? `${WATCHER} is still at work.`
        : ['Nobody, it seems.', startWatching()],
    'Now somebody is.',
  ],
}

const ended: Scenario = {
  name: 'ended',
  prompt: new RegExp(`<agent-notice agent="${WATCHER}"`),
  steps: [[call('Agents', { action: 'read', name: WATCHER })], ({ results }) => results.join(' ')],
}

/** What the main agent does, the newest first. */
export const teamScenarios: readonly Scenario[] = [ended, who, late, answered, narrow, watch, check]

/** What agents do that know nothing of the conversation. */
const fresh = offline({
  scenarios: [
    {
      name: 'watcher',
      prompt: /until the till is closed\. Then price/,
      steps: [
        ['I wait for noon.', till(NOON)],
        (context) => [
          ...(hasLetter(context.turn) ? [call('SendMessage', { to: 'main', message: REPLY })] : []),
          till(EVENING),
        ],
        ({ turn }) => [call('Bash', { command: `node bin/replay.mjs${hasLetter(turn) ? ' AUTUMN' : ''}` })],
        ({ results, turn }) => {
          const [wrong = 'nobody knows how many orders are wrong'] = /\d+ orders are wrong/.exec(results.join()) ?? []
          const checked = results.join().match(/^SO-/gm)?.length ?? 0
          return `The till is closed. ${checked} orders${hasLetter(turn) ? ' with AUTUMN' : ''} priced again: ${wrong}.`
        },
      ],
    },
    {
      name: 'latecomer',
      prompt: new RegExp(`Wait with node bin/till\\.mjs ${LATECOMER}`),
      steps: [['I wait for Sunday.', till(LATECOMER)], 'It is closed.'],
    },
  ],
})

function hasLetter(turn: ModelTurn): boolean {
  return seen({ turn }, new RegExp(LETTER)) !== undefined
}

/** What a fork can only know from the conversation that it was taken from. */
const LINES: Readonly<Record<string, RegExp>> = {
  tax: /taxOn\(reduced, region\)/,
  shipping: /shippingFor\(region, items\.length\)/,
}

/** Answers agents, by who asks: a fork carries the calls of its parent, and must not go on with its parent's script. */
export const agentJob: OfflineJob = {
  name: 'agents',
  recognises: ({ source }) => source.startsWith('agent:'),
  answer(turn) {
    const name = turn.source.slice('agent:'.length)
    const line = LINES[name]
    if (!line) return fresh(turn)
    const found = seen({ turn }, line)
    return found ? `${name} is right: src/cart.mjs has ${found}.` : `Nobody has told me anything of ${name}.`
  },
}
