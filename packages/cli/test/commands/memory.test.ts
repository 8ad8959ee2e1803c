import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../src/session/open-session.js'
import { EXIT } from '../../src/terminal/terminal.js'
import { loadSessions } from '../session/load-sessions.js'
import { runOptions, type Stage, stage } from '../session/stage.js'
import { nacre, withStdin } from './run-command.js'

loadSessions()

interface View {
  readonly scope: string
  readonly memory: { readonly id: string; readonly name: string; readonly type: string; readonly isPinned: boolean }
}

async function added(on: Stage, ...args: readonly string[]): Promise<string> {
  const { out, code } = await nacre(on, 'memory', 'add', ...args, '--json')
  expect(code).toBe(EXIT.done)
  return (JSON.parse(out) as View).memory.id
}

async function listed(on: Stage, ...args: readonly string[]): Promise<readonly View[]> {
  return JSON.parse((await nacre(on, 'memory', 'list', '--json', ...args)).out) as readonly View[]
}

describe('nacre memory', () => {
  it('adds by words, with a type, a place and a name, or from stdin; lists, shows and finds', async () => {
    const on = await stage()
    expect((await nacre(on, 'memory', 'list')).out).toBe('There are no memories yet.\n')
    const tabs = await added(on, 'I prefer tabs', 'over spaces', '--person')
    await added(
      on,
      'The release is frozen until 2026-12-01',
      '--type',
      'project',
      '--project',
      '--name',
      'Release freeze',
    )
    await added(withStdin(on, 'The dashboard of the shop is at https://example.com/shop\n'), '--type', 'reference')
    expect((await listed(on)).map(({ scope, memory: { type } }) => `${scope} ${type}`).sort()).toEqual([
      'person user',
      'project project',
      'project reference',
    ])
    const shown = await nacre(on, 'memory', 'show', 'Release', 'freeze')
    expect(shown).toMatchObject({ code: EXIT.done, out: expect.stringContaining('frozen until 2026-12-01') })
    expect(JSON.parse((await nacre(on, 'memory', 'show', tabs, '--json')).out)).toMatchObject({
      scope: 'person',
      text: expect.stringContaining('I prefer tabs over spaces'),
    })
    expect((await nacre(on, 'memory', 'search', 'tabs')).out).toContain(tabs)
    expect(JSON.parse((await nacre(on, 'memory', 'search', 'dashboard', '--json')).out)).toHaveLength(1)
    expect((await nacre(on, 'memory', 'search', 'zebra')).out).toBe('No memory fits.\n')
  })

  it('refuses what it can not save, with words and a code', async () => {
    const on = await stage()
    const key = await nacre(on, 'memory', 'add', `my key is sk-ant-${'a1b2c3d4'.repeat(6)}`)
    expect(key).toMatchObject({ code: EXIT.failed, err: expect.stringContaining('is not saved') })
    expect(await listed(on)).toEqual([])
    const empty = await nacre(withStdin(on, ' \n'), 'memory', 'add')
    expect(empty).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('There is no text') })
    const wrong = await nacre(on, 'memory', 'add', 'x', '--type', 'usre')
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('user, feedback, project, reference') })
    expect((await nacre(on, 'memory', 'add', 'x', '--person', '--project')).code).toBe(1)
  })

  it('pins, forgets, and takes the last change back; the log, a diff and blame tell of it', async () => {
    const on = await stage()
    const id = await added(on, 'I prefer tabs over spaces')
    expect((await nacre(on, 'memory', 'pin', id)).out).toContain('Pinned: ')
    expect((await listed(on))[0]?.memory.isPinned).toBe(true)
    expect((await nacre(on, 'memory', 'unpin', id)).out).toContain('Unpinned: ')
    expect((await nacre(on, 'memory', 'forget', id)).out).toContain('never learnt again')
    expect(await listed(on)).toEqual([])
    expect(await listed(on, '--all')).toHaveLength(1)
    const log = JSON.parse((await nacre(on, 'memory', 'log', '--json')).out) as { commit: { id: string } }[]
    expect((await nacre(on, 'memory', 'log')).out).toMatch(
      /^\S{8} .* Forgot I prefer tabs over spaces \(you, person\)\n/,
    )
    const last = String(log[0]?.commit.id)
    expect((await nacre(on, 'memory', 'diff', last.slice(0, 8))).out).toContain('gone: ')
    expect(JSON.parse((await nacre(on, 'memory', 'diff', last, '--json')).out)).toMatchObject({ commit: { id: last } })
    expect((await nacre(on, 'memory', 'undo', last)).out).toContain('Undone: ')
    expect(await listed(on)).toHaveLength(1)
    expect((await nacre(on, 'memory', 'blame', id)).out).toMatch(/^\S{8} \S+ \S+ +\w+ +I prefer tabs over spaces$/m)
    expect(JSON.parse((await nacre(on, 'memory', 'blame', id, '--json')).out)).not.toEqual([])
    expect((await nacre(on, 'memory', 'log', id)).code).toBe(EXIT.done)
  })

  it('verifies with a code, pauses, and tells what waits and what it has cost', async () => {
    const on = await stage()
    await added(on, 'The rules of the parser are in docs/parser.md', '--project')
    const { code, out } = await nacre(on, 'memory', 'verify')
    expect({ code, out }).toMatchObject({
      code: EXIT.failed,
      out: expect.stringContaining('docs/parser.md is not there'),
    })
    expect(JSON.parse((await nacre(on, 'memory', 'verify', '--json')).out)).toHaveLength(1)
    await on.write('docs/parser.md', '# Parser')
    expect((await nacre(on, 'memory', 'verify')).code).toBe(EXIT.done)
    expect((await nacre(on, 'memory', 'inbox')).out).toBe('Nothing waits for you.\n')
    expect(JSON.parse((await nacre(on, 'memory', 'inbox', '--json')).out)).toEqual([])
    expect((await nacre(on, 'memory', 'cost')).out).toBe('Memory has cost nothing yet.\n')
    expect(JSON.parse((await nacre(on, 'memory', 'cost', '--json')).out)).toEqual([])
    expect((await nacre(on, 'memory', 'pause')).out).toContain('until: memory pause --off')
    expect((await nacre(on, 'doctor')).out).toMatch(
      /^warning +memory: 1 in .*\n +It is paused: nacre memory pause --off$/m,
    )
    expect((await nacre(on, 'memory', 'pause', '--off')).out).toBe('Memory learns again.\n')
    expect((await nacre(on, 'doctor')).out).toMatch(/^ok +memory: 1 in .* No dream yet: .*The history is in order\.$/m)
    for (const word of ['accept', 'reject', 'diff', 'show', 'forget']) {
      expect((await nacre(on, 'memory', word, 'zz')).code, word).toBe(EXIT.usage)
    }
  })

  it('imports files by their path from here, and says what was left out', async () => {
    const on = await stage()
    await on.write(
      'old/notes.md',
      '- The staging server is rebooted every Monday\n- Reviews are done in pairs on Fridays\n',
    )
    const { out, code } = await nacre(on, 'memory', 'import', 'old/notes.md', 'nowhere.md')
    expect({ out, code }).toMatchObject({ code: EXIT.done, out: expect.stringContaining('Imported 2 memories.') })
    expect(out).toContain('nowhere.md: it can not be read (ENOENT)')
    const again = await nacre(on, 'memory', 'import', 'old/notes.md', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ added: [], left: [expect.any(String), expect.any(String)] })
    expect(again.code).toBe(EXIT.failed)
  })

  it('says where the notes of a session are to whoever looks for them here', async () => {
    const on = await stage()
    expect((await nacre(on, 'memory', 'show', 'latest')).err).toContain('nacre notes show latest')
    expect(await nacre(on, 'memory', 'path', 'latest')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('nacre notes path latest'),
    })
  })
})

describe('nacre memory edit', () => {
  it('takes a body or a whole file over', async () => {
    const on = await stage()
    const id = await added(on, 'I prefer tabs over spaces')
    const edited = await nacre(on, 'memory', 'edit', id, '--text', 'I prefer spaces now.')
    expect(edited).toMatchObject({ code: EXIT.done, out: expect.stringContaining('Edited: ') })
    const { text } = JSON.parse((await nacre(on, 'memory', 'show', id, '--json')).out) as { text: string }
    expect(text).toContain('\nI prefer spaces now.')
    const whole = text.replace('name: I prefer tabs over spaces', 'name: Indentation')
    expect((await nacre(withStdin(on, whole), 'memory', 'edit', id)).code).toBe(EXIT.done)
    expect((await nacre(on, 'memory', 'list')).out).toContain('Indentation')
    expect((await nacre(withStdin(on, whole), 'memory', 'edit', id)).code).toBe(EXIT.done)
  })

  it('says what is wrong with a text, changes nothing, and keeps it', async () => {
    const on = await stage()
    const id = await added(on, 'I prefer tabs over spaces')
    const wrong = '---\nname: [\n---\nMy own words.\n'
    const { code, err } = await nacre(withStdin(on, wrong), 'memory', 'edit', id)
    expect({ code, err }).toMatchObject({ code: EXIT.failed, err: expect.stringContaining('would be no memory') })
    const [, file = ''] = /kept in (\S+)\. /.exec(err) ?? []
    expect(await readFile(file, 'utf8')).toBe(wrong)
    expect((await nacre(on, 'memory', 'show', id)).out).toContain('I prefer tabs over spaces')
  })

  it.skipIf(process.platform === 'win32')('opens the editor that the environment names on a copy', async () => {
    const on = await stage({ EDITOR: 'never', VISUAL: `sed -i.bak s/tabs/spaces/` })
    const id = await added(on, 'I prefer tabs for code')
    const stdin = { isTTY: true } as NodeJS.ReadStream
    const typing = { ...on, terminal: { ...on.terminal, stdin } }
    expect((await nacre(typing, 'memory', 'edit', id)).out).toContain('Edited: ')
    expect((await nacre(on, 'memory', 'show', id)).out).toContain('I prefer spaces for code')
    expect((await nacre(typing, 'memory', 'edit', id)).out).toBe('Nothing was changed.\n')
    const broken = { ...typing, terminal: { ...typing.terminal, env: { ...on.terminal.env, VISUAL: 'false' } } }
    expect(await nacre(broken, 'memory', 'edit', id)).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining("The editor 'false' ended with code 1"),
    })
  })
})

describe('nacre memory purge', () => {
  it('is refused where nobody can be asked', async () => {
    const on = await stage()
    const id = await added(on, 'I prefer tabs over spaces')
    const { code, err } = await nacre(withStdin(on, 'yes\n'), 'memory', 'purge', id)
    expect({ code, err }).toMatchObject({ code: EXIT.usage, err: expect.stringContaining(`purge ${id} --yes`) })
    expect(await listed(on)).toHaveLength(1)
  })

  it('leaves nothing of it, names the sessions that still hold its words, and takes them out of those too', async () => {
    const on = await stage()
    const { session, close } = await openSession(on.terminal, runOptions())
    const said = 'Remember that I live in Lisbon with two cats.'
    for await (const _ of session.query(said));
    await close()
    const [
      {
        memory: { id },
      } = { memory: { id: '' } },
    ] = await listed(on)
    const purged = await nacre(on, 'memory', 'purge', id, '--yes')
    expect(purged.out).toContain('still stand in the logs of these sessions')
    expect(purged.out).toContain(`${session.id}.jsonl`)
    expect(await listed(on, '--all')).toEqual([])
    expect((await nacre(on, 'memory', 'log')).out).not.toContain('Lisbon')
    expect((await nacre(on, 'log', session.id, '--full')).out).toContain('Lisbon')
  })

  it('takes the words out of the logs of sessions where it is told to', async () => {
    const on = await stage()
    const { session, close } = await openSession(on.terminal, runOptions())
    for await (const _ of session.query('Remember that I live in Lisbon with two cats.'));
    await close()
    const [
      {
        memory: { id },
      } = { memory: { id: '' } },
    ] = await listed(on)
    const { out } = await nacre(on, 'memory', 'purge', id, '--yes', '--logs', '--json')
    expect(JSON.parse(out)).toMatchObject({ id, cleaned: [session.id], sessions: [] })
    expect((await nacre(on, 'log', session.id, '--full', '--kind', 'user')).out).not.toContain('two cats')
  })
})

it('changes nothing in a folder that somebody has edited by hand, and tells of it', async () => {
  const on = await stage()
  const id = await added(on, 'I prefer tabs over spaces')
  const { path } = JSON.parse((await nacre(on, 'memory', 'show', id, '--json')).out).memory as { path: string }
  const file = `${on.data}/memory/${path}`
  await writeFile(file, (await readFile(file, 'utf8')).replace('over spaces\n', 'over spaces, mostly\n'))
  expect((await nacre(on, 'memory', 'show', id)).out).toContain('mostly')
  expect((await nacre(on, 'memory', 'pin', id)).code).toBe(EXIT.done)
  expect((await nacre(on, 'memory', 'show', id)).out).toContain('mostly')
})
