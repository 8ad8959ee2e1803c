import { expect, it } from 'vitest'
import { requestIn } from '../src/recall/said-in-prompt.js'
import { lay } from './support/memories.js'
import { ask, byTask, type Stage, setStage } from './support/stage.js'

it.each([
  ['Remember that I prefer tabs.', 'I prefer tabs.'],
  ['please remember: the tracker is at https://tracker.example', 'the tracker is at https://tracker.example'],
  ["Don't forget that we never deploy on Fridays", 'we never deploy on Fridays'],
  ['Keep in mind that Dana owns billing.', 'Dana owns billing.'],
  ['Merk dir, dass ich Tabs mag.', 'ich Tabs mag.'],
  ['记住 我喜欢制表符', '我喜欢制表符'],
  ['Remember to always run the linter.', 'to always run the linter.'],
])('takes %j for a wish to have something remembered', (prompt, text) => {
  expect(requestIn(prompt)).toMatchObject({ kind: 'remember', text })
})

it.each([
  'Do you remember what I said?',
  'Remember when we fixed the parser?',
  'I can not remember the port.',
  'Remember to push.',
  'forget it',
  'Forget that.',
  'Please write a function that can remember things.',
  'Never mind, forget about it and go on',
])('takes %j for an ordinary prompt', (prompt) => {
  expect(requestIn(prompt)).toBeUndefined()
})

it('remembers what a prompt asks to have remembered, at once and with the prompt as evidence', async () => {
  const stage = await setStage(byTask({ main: () => 'I will keep that in mind.' }))
  const session = await stage.open({ flags: { 'dream.consolidate': false } })
  const notices: string[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice.text))
  await ask(session, 'Remember that I prefer short answers without lists.')
  const [saved] = await (await stage.memories()).list()
  expect(saved).toMatchObject({
    scope: 'person',
    isIndexed: true,
    memory: {
      type: 'user',
      body: 'The user said on 2026-11-18: I prefer short answers without lists.',
      source: { evidence: [{ by: 'user', session: session.id, quote: 'I prefer short answers without lists.' }] },
    },
  })
  expect(saved?.unverified).toBeUndefined()
  expect(notices.join()).toContain('Remembered: I prefer short answers without lists')
  expect(stage.exchanges[0]?.body).toContain('do not call the tool memory for it')
})

it('does not remember a secret, and says so', async () => {
  const stage = await setStage(byTask({ main: () => 'I do not keep secrets.' }))
  const session = await stage.open()
  await ask(session, `Remember that my token is ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`)
  await session.close()
  expect(await (await stage.memories()).list()).toEqual([])
  expect(stage.exchanges[0]?.body).toContain('secrets are never kept')
})

/** The last request of the conversation itself: an extraction may come behind it. */
function lastAsked({ exchanges }: Stage): string | undefined {
  return exchanges.findLast(({ source }) => source === 'main')?.body
}

it('forgets what a prompt clearly means, never learns it again, and asks where several fit', async () => {
  const stage = await setStage(byTask({ main: () => 'Forgotten.' }))
  await lay(
    stage,
    { id: 'tabs', name: 'Tabs', text: 'Indent with tabs.' },
    { id: 'port', name: 'Staging port', text: 'The staging database listens on port 5433.' },
    { id: 'billing-owner', name: 'Billing owner', text: 'Billing belongs to Dana.' },
    { id: 'billing-day', name: 'Billing day', text: 'Billing runs on the first of a month.' },
  )
  const session = await stage.open()
  await ask(session, 'Forget about the staging database port.')
  const memories = await stage.memories()
  expect((await memories.list()).map(({ memory }) => memory.id)).not.toContain('port')
  expect(
    (await memories.list({ withArchive: true })).find(({ memory }) => memory.id === 'port')?.memory.gone,
  ).toMatchObject({ how: 'forgotten' })
  await ask(session, 'forget what I said about billing')
  expect(lastAsked(stage)).toContain('ask which one is meant')
  expect(await memories.list()).toHaveLength(3)
  await ask(session, 'forget the zeppelin')
  expect(lastAsked(stage)).toContain('No memory fits')
  await memories.undo()
  expect((await memories.list()).map(({ memory }) => memory.id)).toContain('port')
})
