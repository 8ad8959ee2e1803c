import { expect, it } from 'vitest'
import { lay } from './support/memories.js'
import { byTask, setStage } from './support/stage.js'

const MEMORIES: Readonly<Record<string, string>> = {
  fridays: 'The team never deploys the shop on Fridays, because support is closed at the weekend.',
  port: 'The staging database listens on port 5433.',
  billing: 'Billing belongs to Dana; ask her before the invoice format changes.',
  freeze: 'The release freeze begins on 2026-12-01 and ends on 2027-01-07.',
  answers: 'The user likes short answers without lists.',
  tracker: 'Bugs are tracked at https://tracker.example in the board Orchid.',
  mocks: 'Never mock the database in integration tests; a mock hid a broken migration last year.',
  accessibility: 'Every dialog has to work with a screen reader, since a blind colleague uses the tool daily.',
  refunds: 'Refunds are sent on Mondays by the team in Porto.',
  vendor: 'The vendor of the tax tables answers within two days and only by mail.',
  logo: 'The logo must not be changed before the lawsuit about it is over.',
  latency: 'A checkout has to answer within 200 milliseconds, which the contract with Kestrel demands.',
}

const FITTING: readonly (readonly [prompt: string, id: string])[] = [
  ['Is Friday a good day to deploy the fix?', 'fridays'],
  ['Which port does the staging database use?', 'port'],
  ['I want to change the format of our invoices. Whom do I ask about billing?', 'billing'],
  ['When does the release freeze begin?', 'freeze'],
  ['Where do we track bugs?', 'tracker'],
  ['Write integration tests for the order repository; should I mock the database?', 'mocks'],
  ['Make the new dialog work with a screen reader.', 'accessibility'],
  ['A customer asks when refunds are sent.', 'refunds'],
  ['The tax tables are wrong, how do I reach the vendor?', 'vendor'],
  ['Can you change the logo in the header?', 'logo'],
  ['The checkout takes 350 milliseconds. Is that within the contract?', 'latency'],
]

const UNFIT: readonly string[] = [
  'What is the weather like in Lisbon?',
  'Rename the variable count to total.',
  'Explain how generators work in Python.',
  'Run the linter and fix what it finds.',
  'Add a test for the parser of dates.',
  'Why does this regular expression never match?',
  'Write a haiku about autumn.',
  'Sort this list of names by their last letter.',
  'The build fails with an out of memory error.',
  'Translate this paragraph into French.',
  'Convert the module to ES modules.',
  'What changed in the last commit?',
]

it('brings back what fits a prompt, and nothing where nothing does', async () => {
  const stage = await setStage(byTask({}))
  await lay(stage, ...Object.entries(MEMORIES).map(([id, text]) => ({ id, name: id, text })))
  const session = await stage.open()
  const missed: string[] = []
  for (const [prompt, id] of FITTING) {
    const found = await session.command('memory recall', prompt)
    if (!found.split('\n')[0]?.includes(`(${id})`)) missed.push(`${id}: ${found.replaceAll('\n', ' ')}`)
  }
  const flooded: string[] = []
  for (const prompt of UNFIT) {
    const found = await session.command('memory recall', prompt)
    if (found !== 'None fits.') flooded.push(`${prompt} -> ${found}`)
  }
  expect({ missed, flooded }).toEqual({ missed: [], flooded: [] })
})
