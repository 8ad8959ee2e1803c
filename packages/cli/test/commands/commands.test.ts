import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scripted, startSimulator } from '@nacre/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commandPlace } from '../../src/commands/find-session.js'
import { openSession } from '../../src/session/open-session.js'
import { EXIT } from '../../src/terminal/terminal.js'
import { loadSessions } from '../session/load-sessions.js'
import { runOptions, type Stage, stage } from '../session/stage.js'
import { hasSandbox } from '../support/has-sandbox.js'
import { nacre, programOf } from './run-command.js'

loadSessions()
/** A session with a few rounds, a fold, and a text that was stored. */
async function played(on: Stage): Promise<string> {
  await on.write('src/port.ts', 'export const port = 8443\n')
  const pasted = 'a line of a long paste\n'.repeat(10_000)
  const overrides = { contextWindow: 200_000, permissions: { mode: 'bypassPermissions' } } as const
  const session = await openSession(on.terminal, runOptions({ overrides }))
  const paste = [
    { type: 'text', text: 'List the files in src' },
    { type: 'text', text: pasted },
  ]
  for (const prompt of ['Read src/port.ts', paste, 'List the files']) {
    for await (const event of session.session.query(prompt)) if (event.type === 'end') expect(event.reason).toBe('done')
  }
  await session.session.compact()
  for await (const _ of session.session.query('Search for "8443" in src'));
  await session.close()
  return session.session.id
}

it('lists sessions with title, time and size, for people and for scripts', async () => {
  const on = await stage()
  expect((await nacre(on, 'sessions')).out).toContain('There are no sessions')
  const id = await played(on)
  const { out, code } = await nacre(on, 'sessions')
  expect(code).toBe(EXIT.done)
  expect(out).toMatch(new RegExp(`^${id}  just now +\\d+\\.\\d kB  Read src/port\\.ts\n$`))
  const [listed] = JSON.parse((await nacre(on, 'sessions', '--json')).out) as { id: string; bytes: number }[]
  expect(listed).toMatchObject({ id, title: 'Read src/port.ts', time: on.terminal.now() })
  expect(listed?.bytes).toBeGreaterThan(100_000)
})

it('shows a log, filtered, in one line or whole, and as JSON', async () => {
  const on = await stage()
  const id = await played(on)
  const all = (await nacre(on, 'log', 'latest', '--json')).out.trimEnd().split('\n')
  const entries = all.map((line) => JSON.parse(line) as { id: string; kind: string })
  expect(new Set(entries.map(({ kind }) => kind))).toContain('edit')
  const users = (await nacre(on, 'log', id.slice(0, 6), '--kind', 'user')).out.trimEnd().split('\n')
  expect(users).toHaveLength(entries.filter(({ kind }) => kind === 'user').length)
  expect(users[0]).toMatch(/^2026-11-16 12:00:00 {2}user {7}\S+ {2}Read src\/port\.ts$/)
  expect((await nacre(on, 'log', 'latest', '--owner', 'compact', '--kind', 'edit', '--last', '1')).out).toMatch(
    /edit \(compact\).*fold/,
  )
  expect((await nacre(on, 'log', 'latest', '--grep', 'port = 8443', '--last', '1', '--full')).out).toContain(
    'port = 8443',
  )
  expect(await nacre(on, 'log', 'latest', '--kind', 'edti')).toMatchObject({
    code: 1,
    err: expect.stringContaining('edit'),
  })
})

it('shows what an edit changed, takes it back, and shows that too', async () => {
  const on = await stage()
  await played(on)
  const edits = (await nacre(on, 'log', 'latest', '--kind', 'edit', '--json')).out.trimEnd().split('\n')
  const fold = edits.map((line) => JSON.parse(line)).find(({ changes }) => changes[0].kind === 'fold')
  const shown = (await nacre(on, 'diff', 'latest', fold.id.slice(0, 10))).out
  expect(shown).toContain(`${fold.id} by compact`)
  expect(shown).toMatch(/^- {3}Read src\/port\.ts$/m)
  expect(shown).toMatch(/^\+ user:$/m)
  expect(shown).toContain('more lines (--full shows them)')
  expect((await nacre(on, 'diff', 'latest', fold.id, '--full')).out.length).toBeGreaterThan(shown.length)
  expect(await nacre(on, 'diff', 'latest', 'zzz')).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining("There is no edit 'zzz'"),
  })
  const undone = await nacre(on, 'undo', 'latest', fold.id)
  expect(undone).toMatchObject({ code: EXIT.done, out: expect.stringContaining('undo:') })
  expect((await nacre(on, 'diff', 'latest')).out).toMatch(/^\+ {3}Read src\/port\.ts$/m)
  const after = (await nacre(on, 'log', 'latest', '--json')).out.trimEnd().split('\n').length
  expect((await nacre(on, 'log', 'latest', '--last', '2')).out).toMatch(/edit \(user\)[^\n]*\n.*state \(core\).*pinned/)
  expect(after).toBeGreaterThan(edits.length)
  expect((await nacre(on, 'verify', 'latest')).code).toBe(EXIT.done)
})

describe('verify', () => {
  it('finds a session whole, whose log renders to what was sent', async () => {
    const on = await stage()
    await played(on)
    const { out, code } = await nacre(on, 'verify', 'latest')
    expect(out).toMatch(/ok +log +\d+ entries/)
    expect(out).toMatch(/ok +requests (\d+) of \1 render/)
    expect(out).toMatch(/ok +results +1 of 1 stored/)
    expect(code).toBe(EXIT.done)
  })

  it('names what is broken: a line, bytes that were changed, a result that is gone', async () => {
    const on = await stage()
    const id = await played(on)
    const [project = ''] = await readdir(join(on.data, 'projects'))
    const folder = join(on.data, 'projects', project)
    const log = join(folder, `${id}.jsonl`)
    await writeFile(log, (await readFile(log, 'utf8')).replace('Read src/port.ts', 'Read src/past.ts'))
    await appendFile(log, 'not a batch\n{"cut')
    await rm(join(folder, `${id}.blobs`), { recursive: true })
    const { out, code } = await nacre(on, 'verify', id)
    expect(code).toBe(EXIT.failed)
    expect(out).toMatch(/line \d+: no batch of entries/)
    expect(out).toContain('was cut off while it was written')
    expect(out).toMatch(/response \S+: what renders now is not what was sent then/)
    expect(out).toContain('is missing')
    const report = JSON.parse((await nacre(on, 'verify', id, '--json')).out)
    expect(report).toMatchObject({ session: id, isWhole: false })
  })

  it('names each file that is missing, cut or changed, whether the log names it or not', async () => {
    const on = await stage()
    const id = 'kept'
    const opened = await commandPlace(on.terminal).store.open(id, new AbortController().signal)
    for (const name of ['gone', 'cut', 'changed', 'whole']) await opened.put(`${name}.txt`, 'grün '.repeat(1_000))
    await opened.append([{ kind: 'user', id: 'u', time: 0, content: [{ type: 'text', text: 'Hi' }] }])
    await opened.close()
    const [project = ''] = await readdir(join(on.data, 'projects'))
    const folder = join(on.data, 'projects', project, `${id}.blobs`)
    await rm(join(folder, 'gone.txt'))
    await writeFile(join(folder, 'cut.txt'), 'grün')
    await writeFile(join(folder, 'changed.txt'), 'blau '.repeat(1_200))
    const { out, code } = await nacre(on, 'verify', id)
    expect(code).toBe(EXIT.failed)
    expect(out).toMatch(/wrong +files +1 of 4 are as they were written/)
    expect(out).toMatch(/gone\.txt is missing/)
    expect(out).toMatch(/cut\.txt is cut: 5 of 6000 bytes/)
    expect(out).toMatch(/changed\.txt is not as it was written/)
    await rm(folder, { recursive: true })
    expect((await nacre(on, 'verify', id)).out).toMatch(/wrong +files +0 of 4/)
  })

  it('renders for each model what it was sent', async () => {
    const simulator = await startSimulator({
      model: scripted(() => ({ content: [{ type: 'thinking', thinking: 'Hm.' }, 'Yes.'] })),
    })
    onTestFinished(() => simulator.close())
    const on = await stage({ ANTHROPIC_BASE_URL: simulator.url })
    const { session, controls, close } = await openSession(on.terminal, runOptions({ isOffline: false }))
    for (const name of ['claude-opus-5-5', 'claude-sonnet-4-6', 'claude-fable-5-1', 'claude-opus-5-5']) {
      await session.setModel(await controls.makeModel(name))
      for await (const _ of session.query('Well?'));
    }
    await close()
    expect((await nacre(on, 'verify', 'latest')).out).toMatch(/ok +requests 4 of 4 render/)
  })
})

it('shows notes and where they are', async () => {
  const on = await stage()
  await played(on)
  const path = (await nacre(on, 'notes', 'path', 'latest')).out.trim()
  expect(path).toContain(join(on.data, 'projects'))
  await rm(path, { force: true })
  expect(await nacre(on, 'notes', 'show', 'latest')).toMatchObject({
    code: EXIT.failed,
    err: expect.stringContaining('There are no notes yet'),
  })
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, '# Title\nThe port\n')
  expect((await nacre(on, 'notes', 'show', 'latest')).out).toBe('# Title\nThe port\n')
})

it('lists the sessions that have notes, with where their work stands', async () => {
  const on = await stage()
  expect((await nacre(on, 'notes', 'list')).out).toContain('has notes yet')
  expect(JSON.parse((await nacre(on, 'notes', 'list', '--json')).out)).toEqual([])
  const id = await played(on)
  const path = (await nacre(on, 'notes', 'path', 'latest')).out.trim()
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, '# Title\nThe port\n')
  const listed = JSON.parse((await nacre(on, 'notes', 'list', '--json')).out)
  expect(listed).toMatchObject([{ session: id, path, time: on.terminal.now() }])
  expect((await nacre(on, 'notes', 'list')).out).toMatch(new RegExp(`^${id}  just now +Read src/port\\.ts\n$`))
})

it('lists every flag with its value and where it comes from', async () => {
  const on = await stage({ NACRE_FLAGS: 'compact.snip=off' })
  const file = await on.write('~/.nacre/settings.json', { flags: { 'compact.clear': false } })
  const { out } = await nacre(on, 'flags')
  expect(out).toMatch(/^compact +on +default$/m)
  expect(out).toMatch(/^compact\.snip +off +NACRE_FLAGS$/m)
  expect(out).toContain(`off  ${file}`)
  expect(out).toMatch(/^session-memory\.relief +on/m)
  const wrong = await stage({ NACRE_FLAGS: 'compact.snap=off' })
  expect(await nacre(wrong, 'flags')).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining("Did you mean 'compact.snip'?"),
  })
})

it('imports a session of Claude Code that can be gone on with', async () => {
  const on = await stage()
  const record = (uuid: string, type: string, content: unknown) =>
    JSON.stringify({
      uuid,
      type,
      timestamp: '2026-01-01T00:00:00Z',
      message: { id: uuid, role: type, model: 'claude-opus-5-5', content },
    })
  const file = await on.write(
    'old.jsonl',
    [record('1', 'user', 'Which port?'), record('2', 'assistant', [{ type: 'text', text: '8443' }]), 'no json'].join(
      '\n',
    ),
  )
  const imported = await nacre(on, 'import', file)
  expect(imported).toMatchObject({
    code: EXIT.done,
    out: expect.stringContaining('Imported 2 entries as session old.'),
  })
  expect(imported.out).toContain('not valid JSON: 1 passed over')
  expect((await nacre(on, 'log', 'old', '--kind', 'assistant')).out).toContain('8443')
  expect((await nacre(on, 'verify', 'old')).code).toBe(EXIT.done)
  const session = await openSession(on.terminal, runOptions({ open: { kind: 'resume', text: 'old', fork: false } }))
  for await (const event of session.session.query('List the files'))
    if (event.type === 'end') expect(event.reason).toBe('done')
  await session.close()
  expect(await nacre(on, 'import', file)).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('--as') })
  for (const path of ['nowhere.jsonl', '.'])
    expect(await nacre(on, 'import', path)).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('no file that can be read'),
    })
})

describe('doctor', () => {
  it('looks at everything, shows no key, and is content where nothing failed', async () => {
    const on = await stage({ ANTHROPIC_API_KEY: 'sk-very-secret' })
    const { out, code } = await nacre(on, 'doctor')
    for (const name of ['node', 'key', 'data folder', 'settings', 'trust', 'sandbox', 'memory', 'ripgrep', 'git'])
      expect(out).toContain(` ${name}: `)
    expect(out).not.toContain('very-secret')
    expect(code).toBe(EXIT.done)
  })

  it.skipIf(!hasSandbox)('says that commands run in a sandbox, where bubblewrap works', async () => {
    const on = await stage()
    // What a folder says counts only once it is trusted.
    await on.write('.nacre/settings.json', { sandbox: { use: 'none' } })
    expect((await nacre(on, 'doctor')).out).toMatch(/^ok +sandbox: commands run in a sandbox \(bubblewrap\)$/m)
    await nacre(on, 'trust')
    expect((await nacre(on, 'doctor')).out).toMatch(/^warning +sandbox: no sandbox: /m)
  })

  it('says that there is no sandbox, why, and what that means', async () => {
    const on = await stage()
    await on.write('~/.nacre/settings.json', { sandbox: { use: 'none' } })
    expect((await nacre(on, 'doctor')).out).toMatch(
      /^warning +sandbox: no sandbox: it is switched off by a setting\.\n +Only a short list of plain commands runs without a question\.$/m,
    )
  })

  it('fails with what is broken and what to do about it', async () => {
    const on = await stage()
    await on.write('.nacre/settings.json', { modle: 'x' })
    await rm(on.data, { recursive: true })
    await writeFile(on.data, 'in the way')
    const { out, code } = await nacre(on, 'doctor')
    expect(code).toBe(EXIT.failed)
    expect(out).toMatch(/^failed +settings: .*Did you mean 'model'/m)
    expect(out).toMatch(/^failed +data folder: /m)
    expect(out).toMatch(/^warning +key: not set/m)
    const named = await stage()
    await named.write('~/.nacre/settings.json', { plugins: ['nowhere'] })
    expect((await nacre(named, 'doctor')).out).toMatch(/^failed +plugin nowhere: /m)
  })
})

it('trusts a folder after it has shown what that means, lists it, and takes it back', async () => {
  const on = await stage()
  await on.write('.nacre/settings.json', { hooks: { Stop: [{ command: 'make' }] } })
  const shown = await nacre(on, 'trust', '--show')
  expect(shown.out).toContain('Stop runs: make')
  expect(shown.out).toContain('It is not trusted')
  expect((await nacre(on, 'trust')).out).toContain(`${on.root} is trusted now`)
  expect((await nacre(on, 'trust', '--list')).out).toBe(`2026-11-16  ${on.root}\n`)
  expect((await nacre(on, 'trust', '--remove', '.')).out).toContain('no longer trusted')
  expect((await nacre(on, 'trust', '--list')).out).toBe('No folder is trusted.\n')
  expect(await nacre(on, 'trust', 'nowhere')).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('There is no folder'),
  })
})

describe('completion', () => {
  it('completes commands, those below them, options and choices in bash', async () => {
    const on = await stage()
    const script = join(on.home, 'nacre.bash')
    await writeFile(script, (await nacre(on, 'completion', 'bash')).out)
    const complete = (...words: string[]) => {
      const list = ['nacre', ...words].map((word) => `'${word}'`).join(' ')
      const line = `source ${script}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _nacre; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', line], { cwd: on.root }).toString().trim()
    }
    expect(complete('se')).toBe('sessions')
    expect(complete('notes', '')).toContain('show path')
    expect(complete('memory', 'show', '--h')).toBe('--help')
    expect(complete('log', 'latest', '--k')).toBe('--kind')
    expect(complete('completion', 'z')).toBe('zsh')
    expect(complete('log', 'latest', '--kind', 'e')).toBe('edit')
    expect(complete('log', 'latest', '--kind', '')).toBe('user assistant edit state notice')
    await on.write('some-words.txt', '')
    expect(complete('log', 'latest', '--grep', 'some')).toBe('some-words.txt')
  })

  it('has a script for zsh and fish', async () => {
    const on = await stage()
    expect((await nacre(on, 'completion', 'zsh')).out).toMatch(/^#compdef nacre\n/)
    expect((await nacre(on, 'completion', 'fish')).out).toMatch(/^complete -c nacre .* -a sessions -d '/m)
    expect(await nacre(on, 'completion', 'tcsh')).toMatchObject({
      code: 1,
      err: expect.stringContaining('bash, zsh, fish'),
    })
  })
})

it('has help with an example for every command, and a suggestion for a misspelt one', async () => {
  const on = await stage()
  const program = programOf(on, () => undefined)
  const all = program.commands.flatMap((each) => [each, ...each.commands])
  expect(all.length).toBeGreaterThan(11)
  for (const command of all) {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    expect(help).toMatch(/Examples?:\n {2}\$ \S/)
    const examples = help.slice(help.indexOf('Examples:'))
    for (const { long } of command.options) expect(examples, command.name()).toContain(long)
    expect(command.description()).not.toBe('')
  }
  expect((await nacre(on, 'memory', 'shwo', 'latest')).err).toContain('Did you mean show?')
  expect(await nacre(on, 'log', 'nothing like it')).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining("There is no session 'nothing like it'"),
  })
  expect((await stat(on.data)).isDirectory()).toBe(true)
})
