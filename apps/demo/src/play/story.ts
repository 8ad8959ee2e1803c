import type { Scenario, StepContext } from '@nacre/simulator'
import { teamScenarios } from './agents-script.js'
import { call, deskPrompts, deskScenarios, musing, seen, supportMails } from './desks.js'

/** A ticket of the first thread of mails, which is long out of view when somebody asks for it. */
const TICKET = 'T-7377'

/** What the person says until the bug is fixed. */
export const WORK: readonly string[] = [
  `Since Saturday customers of the shop pay too much. Support has sent me this. Find out why.\n\n${supportMails(0, 10)}`,
  ...deskPrompts,
  'Then fix it, and prove it with the tests.',
]

/** What the person says afterwards. */
export const THANKS = 'Thank you.'
/** How its mail begins: in the log, and no longer in the view. */
export const ASKED_FOR = `Subject: ticket ${TICKET}`
export const QUESTION = `What did the customer of ticket ${TICKET} write, and when was it?`
export const LAST_JOB = 'Write a release note into RELEASE.md, and run the tests once more.'
/** For summaries by hand. */
export const INSTRUCTIONS = 'Keep every order number.'

/** What the person lets drop of how they work, and what they say a week later: it can't be both days. */
export const SAID = 'Thank you. We never deploy the shop on Fridays. We always send refunds on Mondays.'
export const SAID_LATER = 'Some customers still wait for their money. We always send refunds on Wednesdays.'
/** What an earlier session has learnt does not help with the first of these, and answers the second. */
export const UNRELATED = 'What does RELEASE.md say?'
export const RELATED = 'Is Friday a good day to deploy the fix?'
/** The same once more, in other words, by somebody who does not know that it is known. */
export const SAID_AGAIN = 'On Fridays the team never deploys.'

/** Large ones first: the last five that were read come back after a fold. */
const MODULES = ['catalog', 'shipping', 'stock', 'loyalty', 'currency', 'tax', 'cart', 'coupons']

const JOBS = ['Price all orders again', 'Read every module', 'Fix the cause', 'Prove it with the tests']

function todos(done: number) {
  const status = (index: number) => (index < done ? 'completed' : index === done ? 'in_progress' : 'pending')
  return call('Todo', { todos: JOBS.map((content, index) => ({ content, status: status(index) })) })
}

const find: Scenario = {
  name: 'find',
  prompt: /Find out why/,
  steps: [
    ['I begin with a list of what there is to do.', todos(0)],
    ['First all orders of the month, priced again.', call('Bash', { command: 'node bin/replay.mjs' })],
    (context) => ['Only the orders that are wrong matter.', wrongOrders(context)],
    ...MODULES.map((name, index) => [musing(name, index), call('Read', { file_path: `src/${name}.mjs` })]),
    'src/coupons.mjs compares days of the month, not moments: AUTUMN runs from October 24 to November 2, and no day is at least 24 and at most 2.',
  ],
}

/** Looks into the result that was put away; a model that has all of it before its eyes runs the command again. */
function wrongOrders({ results }: StepContext) {
  const [, name] = /The whole is in the file (.+)/.exec(results.join('\n')) ?? []
  if (name) return call('ReadResult', { name, search: 'WRONG' })
  return call('Bash', { command: 'node bin/replay.mjs | grep WRONG' })
}

const BROKEN = '  return moment.getUTCDate() >= from.getUTCDate() && moment.getUTCDate() <= until.getUTCDate()'
const MENDED = '  return moment >= from && moment <= until'
const TESTS = call('Bash', { command: 'node --test 2>&1 | tail -8' })

const fix: Scenario = {
  name: 'fix',
  prompt: /Then fix it/,
  steps: [
    ['I look at it once more before I change it.', call('Read', { file_path: 'src/coupons.mjs' })],
    ['Moments, not days.', call('Edit', { file_path: 'src/coupons.mjs', old_string: BROKEN, new_string: MENDED })],
    ['Now the tests.', TESTS],
    ({ results }) => [`${verdict(results)} All that is left is the list.`, todos(JOBS.length)],
    'Fixed: a coupon counts from its first moment to its last.',
  ],
}

const recall: Scenario = {
  name: 'recall',
  prompt: /What did the customer of ticket/,
  steps: [
    ['That is no longer before me; I look it up.', call('Recall', { query: TICKET })],
    ({ results }) => {
      const [quote = 'nothing'] = /I bought[^.]*\./.exec(results.join('\n')) ?? []
      const [when = 'nobody knows when'] = /It was about [^.]*/.exec(results.join('\n')) ?? []
      return `"${quote}" ${when}.`
    },
  ],
}

const release: Scenario = {
  name: 'release',
  prompt: /Write a release note/,
  steps: [
    [
      call('Write', {
        file_path: 'RELEASE.md',
        content: '# Coupons\n\nA coupon counts from its first moment to its last.\n',
      }),
    ],
    [TESTS],
    ({ results }) => [verdict(results), call('Read', { file_path: 'RELEASE.md' })],
    'The note is in RELEASE.md, and the tests pass.',
  ],
}

const thanks: Scenario = { name: 'thanks', prompt: /Thank you\.$/, steps: ['You are welcome.'] }

const told: Scenario = { name: 'told', prompt: /We always send refunds on Mondays\./, steps: ['Good to know.'] }

const toldOtherwise: Scenario = {
  name: 'told otherwise',
  prompt: /We always send refunds on Wednesdays\./,
  steps: [(context) => (seen(context, /on Mondays/) ? 'Good to know. Earlier it was Mondays.' : 'Good to know.')],
}

const look: Scenario = {
  name: 'look',
  prompt: /What does RELEASE\.md say\?/,
  steps: [
    [call('Read', { file_path: 'RELEASE.md' })],
    ({ results }) => `It says: ${/A coupon[^.]*\./.exec(results.join())?.[0] ?? 'nothing.'}`,
  ],
}

const deploy: Scenario = {
  name: 'deploy',
  prompt: /good day to deploy/,
  steps: [
    (context) => {
      const known = seen(context, /The team never deploys[^.(]*\./)
      return known ? `No. ${known}` : 'Nobody has told me anything against it.'
    },
  ],
}

function verdict(results: readonly string[]): string {
  return /pass 1\b/.test(results.join()) && /fail 0\b/.test(results.join()) ? 'The tests pass.' : 'The tests fail.'
}

/** The newest first: what folds quote of earlier prompts must not begin them again. */
export const scenarios: readonly Scenario[] = [
  ...teamScenarios,
  deploy,
  look,
  toldOtherwise,
  told,
  release,
  recall,
  thanks,
  fix,
  ...deskScenarios.toReversed(),
  find,
]
