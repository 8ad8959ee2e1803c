import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openMemories } from '../../src/index.js'
import { runMemoryWords } from '../../src/person/memory-words.js'
import { listFiles } from '../repository/test-folder.js'
import { lay } from '../support/memories.js'
import { ask, byTask, extracting, say, setStage } from '../support/stage.js'

const VIM = {
  name: 'Vim',
  type: 'user',
  quote: 'I prefer the editor vim to all others',
  statement: 'The user prefers the editor vim to all others.',
}

it('adds, finds, pins, edits, forgets and brings back, and every step is in the log', async () => {
  const stage = await setStage(byTask({}))
  const memories = await stage.memories()
  const run = (line: string) => runMemoryWords(memories, line)
  expect(await run('')).toBe('There are no memories yet.')
  expect(await run('add "The wiki of the team is at https://wiki.example"')).toContain(
    'reference, project, in the index',
  )
  expect(await run('add I like short answers')).toContain('user, you')
  expect(await run('list')).toContain('I like short answers')
  expect(await run('search wiki')).toContain('wiki of the team')
  expect(await run('pin "I like short answers"')).toContain('pinned')
  expect(await run('show "I like short answers"')).toContain('source: by hand')
  const { text, memory } = await memories.show('I like short answers')
  await memories.edit(memory.id, text.replace(/^I like short answers$/m, 'I like very short answers'))
  expect(await run(`blame ${memory.id}`)).toContain('I like very short answers')
  expect(await run('forget "I like short answers"')).toContain('never learnt again')
  expect(await run('list')).not.toContain('short answers')
  expect(await run('undo')).toContain('Undone')
  expect(await run('list')).toContain('I like short answers')
  const log = await run('log')
  for (const word of ['Remembered', 'Pinned', 'Edited', 'Forgot']) expect(log).toContain(word)
  expect(await run('verify')).toBe('All memories rest on what is there.')
  expect(await run('cost')).toBe('Memory has cost nothing yet.')
  expect(await run('inbox')).toBe('Nothing waits for you.')
  await expect(run('nonsense')).rejects.toThrow("There is no 'memory nonsense'")
  await expect(run('show nobody')).rejects.toThrow("There is no memory 'nobody'")
  await expect(run('pin')).rejects.toThrow('memory pin needs a memory')
  await expect(run(`add my password is ${'hunter2'.repeat(2)}!`)).rejects.toThrow('secrets are never kept')
})

it('never extracts again what was forgotten', async () => {
  const { quote } = VIM
  const stage = await setStage(byTask({ extract: extracting(VIM) }))
  await say(stage, `${quote}.`)
  const memories = await stage.memories()
  await memories.forget('Vim')
  await say(stage, `As I said, ${quote}.`)
  expect(await memories.list()).toEqual([])
  expect(stage.exchanges.at(-1)?.body).toContain('a person had this forgotten')
})

it('purges a memory out of the folder, its history and its objects, and names the logs that hold it', async () => {
  const quote = 'I live at Zeppelinallee 17 in Freiburg'
  const stage = await setStage(
    byTask({
      extract: extracting({
        name: 'Address',
        type: 'user',
        quote,
        statement: 'The user lives at Zeppelinallee 17 in Freiburg.',
      }),
    }),
  )
  const session = await say(stage, `${quote}.`)
  const memories = await stage.memories()
  await memories.add('I like short answers')
  await memories.pin('Address', true)
  const report = await memories.purge('Address')
  expect(report.sessions).toEqual([session])
  expect((await memories.list()).map(({ memory }) => memory.name)).toEqual(['I like short answers'])
  const { path } = memories.folders.person
  for (const file of listFiles(path)) {
    const data = await readFile(join(path, file))
    const text = /objects\/..\/[0-9a-f]{38}$/.test(file) ? inflateSync(data).toString() : data.toString()
    expect(text, file).not.toContain('Zeppelinallee')
  }
  expect((await memories.log()).map(({ commit }) => commit.cause.summary)).toContain('Left a tombstone')
  await say(stage, `Once more: ${quote}.`)
  expect((await memories.list()).map(({ memory }) => memory.name)).toEqual(['I like short answers'])
})

it('knows what belongs to the person in every project, and shares a project among its worktrees', async () => {
  const stage = await setStage(byTask({ main: () => 'Short.' }))
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' })
  git(stage.project, 'init', '-q')
  await writeFile(join(stage.project, 'x'), 'x')
  git(stage.project, 'add', '.')
  git(stage.project, 'commit', '-qm', 'x')
  git(stage.project, 'worktree', 'add', '-q', join(stage.home, 'tree'))
  const memories = await stage.memories()
  await memories.add('I like short answers')
  await memories.add('The deadline is 2026-12-01', { type: 'project' })
  const elsewhere = await openMemories({ home: stage.home, project: stage.home })
  expect((await elsewhere.list()).map(({ memory }) => memory.name)).toEqual(['I like short answers'])
  const tree = await openMemories({ home: stage.home, project: join(stage.home, 'tree') })
  expect(await tree.list()).toHaveLength(2)
})

it('imports files that a person has, with where they come from, and leaves out what is known or secret', async () => {
  const stage = await setStage(byTask({}))
  const folder = join(stage.home, 'old')
  await mkdir(folder)
  await writeFile(
    join(folder, 'MEMORY.md'),
    `# Memories\n- Always run the linter before a commit\n- The tracker is at https://tracker.example\n- key: ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}\n`,
  )
  await writeFile(join(folder, 'tabs.md'), '---\nname: Tabs\ntype: feedback\n---\nIndent with tabs, not with spaces.\n')
  const memories = await stage.memories()
  const paths = ['MEMORY.md', 'tabs.md', 'missing.md'].map((name) => join(folder, name))
  const { added, left } = await memories.import(paths)
  expect(added).toHaveLength(3)
  expect(left.join('\n')).toContain('secrets are never kept')
  expect(left.join('\n')).toContain('missing.md: it can not be read (ENOENT)')
  expect((await memories.list()).every(({ memory }) => memory.source.kind === 'imported')).toBe(true)
  expect((await memories.import(paths)).added).toEqual([])
})

it('does not load what rests on words that are in no log, and says so', async () => {
  const stage = await setStage(byTask({ main: () => 'Hm.' }))
  const evidence = [{ session: 'nowhere', entry: 'x', by: 'user' as const, quote: 'I love the staging port' }]
  await lay(stage, { id: 'forged', text: 'The user loves the staging port.', source: { kind: 'session', evidence } })
  const session = await stage.open()
  await ask(session, 'What do I think of the staging port?')
  expect(stage.exchanges[0]?.body).not.toContain('loves the staging port')
  expect(await session.command('memory', 'verify')).toContain('it is not loaded: the log that it names is not here')
})

it('learns nothing while it is paused', async () => {
  const { quote } = VIM
  const stage = await setStage(byTask({ extract: extracting(VIM) }))
  const memories = await stage.memories()
  await memories.pause(true)
  await say(stage, `${quote}.`)
  expect(await memories.list()).toEqual([])
  expect(stage.exchanges.map(({ source }) => source)).toEqual(['main'])
  await memories.pause(false)
  await say(stage, `${quote}, as I said.`)
  expect(await memories.list()).toHaveLength(1)
  expect(await readdir(join(memories.folders.project.path, '.nacre'))).not.toContain('paused.json')
})
