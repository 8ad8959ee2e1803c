import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createSession, definePlugin, memoryStore } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'
import { expect, it } from 'vitest'
import { notesPath, sessionMemory, sessionPreview } from '../../src/index.js'
import { createGates } from '../support/gates.js'
import { edit, PROJECT, type Script, type Scripted, startScripted, temporaryHome, words } from '../support/scripted.js'

const main: Script['main'] = () => words(6_000)
const notes: Script['notes'] = (_request, number) =>
  edit(
    { section: 'Session Title', text: 'The login bug' },
    { section: 'Current State', text: `Step ${number + 1}.` },
    { section: 'Learnings', how: 'append', text: `Learned ${number + 1}.` },
  )
const PROMPT = `Go on. ${'Please. '.repeat(100)}`

async function talk({ ask, idle }: Scripted, times: number): Promise<void> {
  for (let number = 0; number < times; number++) {
    await ask(PROMPT)
    await idle()
  }
}

/** What stands for what was folded, or why nothing was. */
async function folded({ session }: Scripted): Promise<string> {
  const outcome = await session.compact()
  return 'refused' in outcome ? outcome.refused : JSON.stringify(session.view().rounds[0]?.content)
}

const NOTHING = 'There is nothing to compact.'

it.each([
  ['deleted', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
])('does not bring back notes that were %s, and writes them anew', async (_what, spoil) => {
  const started = await startScripted({ main, notes })
  await talk(started, 4)
  spoil(started.path)
  expect(await folded(started)).toBe(NOTHING)
  expect(await started.session.command('memory session')).toContain('There are no notes yet')
  await talk(started, 1)
  const prompt = JSON.stringify(started.updates().at(-1)?.messages.at(-1))
  expect(prompt).toContain('The notes are empty so far')
  expect(started.file()).not.toContain('Learned 1.')
  expect(await folded(started)).toContain('Learned 4.')
})

it.each([
  ['half-written', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  [
    'without its first line',
    (path: string) => writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(1).join('\n')),
  ],
  ['something else', (path: string) => writeFileSync(path, 'Shopping list: milk.')],
])('folds by the notes of the log when the file is %s, and mends it', async (_what, spoil) => {
  const started = await startScripted({ main, notes })
  await talk(started, 4)
  const whole = started.file()
  spoil(started.path)
  expect(await started.session.command('memory session')).toContain('The file is damaged')
  expect(await folded(started)).toContain('Learned 3.')
  await started.session.undo()
  await talk(started, 1)
  expect(started.file()).toContain('Learned 1.\nLearned 2.\nLearned 3.\nLearned 4.')
  expect(started.file().split('\n').length).toBe(whole.split('\n').length + 1)
})

it('takes what a person has written into the file, and gives it back its headings', async () => {
  const started = await startScripted({ main, notes })
  await talk(started, 4)
  const spoiled = started
    .file()
    .replace('# Workflow', '# My own words')
    .replace('Learned 1.', 'Learned by hand.')
    .replace('_What has worked well, what has not', '_What worked well and')
  writeFileSync(started.path, spoiled)
  const fold = await folded(started)
  expect(fold).toContain('Learned by hand.')
  expect(fold).toContain('My own words')
  await started.session.undo()
  await talk(started, 1)
  expect(started.file()).toContain('# Workflow\n')
  expect(started.file()).toContain('_What has worked well, what has not')
  expect(started.file()).toContain('# My own words')
  expect(started.file()).toContain('Learned by hand.')
})

it('cuts notes that a person has blown up, and still fits', async () => {
  const started = await startScripted({ main, notes })
  await talk(started, 6)
  writeFileSync(started.path, started.file().replace('Learned 1.', words(300_000)))
  const fold = await folded(started)
  expect(fold).toContain('[cut here')
  expect(fold).toContain('Step 5.')
  expect(fold.length).toBeLessThan(words(4_500).length)
})

it('puts its edits on top of what a person wrote while it ran', async () => {
  const { gate, next, open } = createGates()
  const started = await startScripted({ main, notes, gate })
  await started.ask(PROMPT)
  await started.ask(PROMPT)
  ;(await next())()
  await started.idle()
  await started.ask(PROMPT)
  const second = await next()
  writeFileSync(started.path, started.file().replace('Learned 1.', 'Learned by hand.'))
  open()
  second()
  await started.idle()
  expect(started.file()).toContain('Learned by hand.\nLearned 2.')
})

it('writes nothing when the notes are taken away while it runs', async () => {
  const { gate, next, open } = createGates()
  const started = await startScripted({ main, notes, gate })
  await started.ask(PROMPT)
  await started.ask(PROMPT)
  ;(await next())()
  await started.idle()
  await started.ask(PROMPT)
  const second = await next()
  rmSync(started.path)
  open()
  second()
  await started.idle()
  expect(started.file()).toBe('')
  expect(started.notices.at(-1)?.text).toContain('taken away')
})

it('goes back with a rewind: what was taken back is in no fold', async () => {
  const started = await startScripted({ main, notes })
  await talk(started, 6)
  expect(started.file()).toContain('Learned 5.')
  const back = started.session.view().rounds[5]?.entries[0]?.id as string
  await started.session.rewind(back)
  expect(await started.session.command('memory session')).toContain('not about what is in view')
  const fold = await folded(started)
  expect(fold).toContain('Learned 4.')
  expect(fold).not.toContain('Learned 5.')
})

it('takes the notes away when something is redacted, also those of a running update', async () => {
  const { gate, next, open } = createGates()
  const started = await startScripted({ main, notes, gate, plugins: [redacting] })
  await started.ask(PROMPT)
  await started.ask(PROMPT)
  const first = await next()
  await started.session.command('redact')
  first()
  await started.idle()
  expect(started.file()).toBe('')
  open()
  await talk(started, 1)
  expect(started.file()).toContain('Learned 2.')
  await started.session.command('redact')
  expect(started.file()).toBe('')
  expect(await folded(started)).toBe(NOTHING)
})

const redacting = definePlugin({
  name: 'redacting',
  setup: () => ({
    commands: [
      {
        name: 'redact',
        help: 'Takes the first words out.',
        async run(_args, { view, propose }) {
          const entry = view().rounds[0]?.entries[0]?.id as string
          const content = [{ type: 'text', text: '[taken out]' }]
          const change = { kind: 'replace' as const, target: { entry, block: 0 }, content, redacts: true as const }
          const edit = await propose({ changes: [change], reason: 'a secret' })
          return 'refused' in edit ? edit.refused : ''
        },
      },
    ],
  }),
})

it('begins anew after a clear', async () => {
  const started = await startScripted({ main, notes })
  await talk(started, 3)
  await started.session.clear()
  expect(await started.session.command('memory session')).toContain('There are no notes yet')
  await talk(started, 3)
  expect(JSON.stringify(started.updates()[2]?.messages.at(-1))).toContain('The notes are empty so far')
  expect(started.file()).not.toContain('Learned 2.')
})

it('goes on with its notes after a resume, and a copy begins with those of the first', async () => {
  const home = temporaryHome()
  const store = fileStore({ home, project: PROJECT })
  const first = await startScripted({ main, notes, home, options: { store } })
  await talk(first, 4)
  const { id } = first.session
  await first.session.close()
  const later: Script['notes'] = () => edit({ section: 'Learnings', how: 'append', text: 'Learned later.' })
  const second = await startScripted({ main, notes: later, home, options: { store, open: { resume: id } } })
  expect(await second.session.command('memory session')).toContain('Covers up to turn 3 of')
  await talk(second, 1)
  expect(second.file()).toContain('Learned 3.\nLearned later.')
  expect(await second.session.command('memory session')).toContain('Covers up to turn 4 of 5.')
  const copy = await second.session.fork()
  expect(await copy.command('memory session')).toContain('Learned 3.')
  const outcome = await copy.compact()
  expect(outcome).toMatchObject({ receipt: { rung: 'notes' } })
  await copy.close()
})

it('is the title and the preview of the session in a list', async () => {
  const home = temporaryHome()
  const store = fileStore({ home, project: PROJECT })
  const started = await startScripted({ main, notes, home, options: { store } })
  await talk(started, 2)
  const session = started.session.id
  await started.session.close()
  const titles: string[] = []
  for await (const { title } of store.list()) titles.push(title)
  expect(titles).toEqual(['The login bug'])
  const place = { home, project: PROJECT, session }
  expect(await sessionPreview(place)).toEqual({ title: 'The login bug', preview: 'Step 1.', turn: 1 })
  expect(await sessionPreview({ ...place, session: 'another' })).toBeUndefined()
})

it('leaves a title alone that a person has given', async () => {
  const home = temporaryHome()
  const store = memoryStore()
  const titled = (title: string) => (_request: unknown, number: number) =>
    edit({ section: 'Session Title', text: `${title} ${number + 1}` })
  const started = await startScripted({ main, notes: titled('Title'), home, options: { store } })
  const { id, view } = started.session
  await talk(started, 2)
  expect(view().state('session-memory', 'session-title')).toBe('Title 1')
  await talk(started, 1)
  expect(view().state('session-memory', 'session-title')).toBe('Title 2')
  await started.session.close()
  const kept = await store.open(id, new AbortController().signal)
  await kept.append([{ kind: 'state', id: 'named', time: 0, owner: 'core', key: 'title', value: 'Mine' }])
  await kept.close()
  const again = await startScripted({ main, notes: titled('Another'), home, options: { store, open: { resume: id } } })
  await talk(again, 2)
  expect(again.file()).toContain('Another')
  expect(again.session.view().state('session-memory', 'session-title')).toBe('Title 2')
  expect(again.session.view().state('core', 'title')).toBe('Mine')
})

it('keeps the notes of a session whose id is no file name', async () => {
  const home = temporaryHome()
  const id = '../../etc/passwd'
  const plugins = [sessionMemory({ home, project: PROJECT })]
  const session = await createSession({ model: scriptedModel([]), store: memoryStore(), plugins, open: { id } })
  await session.close()
  expect(notesPath({ home, project: PROJECT, session: id }).startsWith(`${home}/projects/`)).toBe(true)
  expect(notesPath({ home, project: PROJECT, session: id })).not.toContain('..')
})
