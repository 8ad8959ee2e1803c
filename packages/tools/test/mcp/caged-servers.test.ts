import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryStore } from '@nacre/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox, type McpServer, mcp } from '../../src/index.js'
import type { McpOptions } from '../../src/mcp/gather-servers.js'
import { noCage } from '../sandbox/caged-shell.js'
import { PATIENT } from '../shell/processes.js'
import { readySandbox } from '../support/ready-sandbox.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { obeying } from './obeying.js'
import { processesWith, textOf } from './processes-with.js'
import { rawProgram } from './raw-server.js'
import { setUpMcp } from './set-up-mcp.js'

const options = (server: McpServer, sandbox?: McpOptions['sandbox']): McpOptions => ({
  ...{ servers: { one: server }, files: { user: false, project: false }, wait: () => undefined },
  ...(sandbox && { sandbox }),
})

const status = async (setUp: Awaited<ReturnType<typeof setUpMcp>>) =>
  setUp.contribution.commands?.find(({ name }) => name === 'mcp')?.run('', {} as never)

/** A home with a key in it, an own workspace with a server, and a sandbox for both. */
async function stage(behaviour: string) {
  const [home, cwd, folder] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(home, '.ssh'))
  await writeFile(join(home, '.ssh', 'id_ed25519'), 'KEY')
  const sandbox = createSandbox({ home, folder })
  const server = (more: object = {}): McpServer => ({
    ...{ command: process.execPath, args: [], sandbox: 'work' },
    ...more,
  })
  const program = await rawProgram(cwd, behaviour)
  return { home, cwd, folder, sandbox, program, server: (more?: object) => server({ args: [program], ...more }) }
}

/** For `behaviour`: what becomes of reading and writing a place. */
const ATTEMPTS = `
const fs = await import('node:fs')
const attempt = (work) => { try { return String(work()) } catch (error) { return error.code } }
const reads = (path) => attempt(() => fs.readFileSync(path, 'utf8'))
const writes = (path) => attempt(() => fs.writeFileSync(path, 'x') ?? 'written')
`

describe.skipIf(noCage)('a server in a sandbox, where there is one', () => {
  it('writes in the workspace only, sees no keys, and has what its settings give it', async () => {
    const outside = await temporaryFolder()
    const { home, cwd, sandbox, server } = await stage(`${ATTEMPTS}
      const { TOKEN, HOME, SECRET_TOKEN } = process.env
      server.go = (id) => say(id, JSON.stringify([
        writes('made'), writes('${outside}/made'), writes('/usr/made'), writes('.git/config'),
        reads(HOME + '/.ssh/id_ed25519'), TOKEN, SECRET_TOKEN ?? 'none',
      ]))`)
    await mkdir(join(cwd, '.git'))
    await writeFile(join(cwd, '.git', 'config'), '[core]\n')
    vi.stubEnv('HOME', home)
    vi.stubEnv('SECRET_TOKEN', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a')
    onTestFinished(() => void vi.unstubAllEnvs())
    const one = await setUpMcp(options(server({ env: { TOKEN: `it's "mine"\n$HOME` } }), sandbox), { cwd })
    expect(JSON.parse(await one.textOf('mcp__one__go'))).toEqual([
      ...['written', 'ENOENT', 'EROFS', 'EROFS'],
      ...['ENOENT', `it's "mine"\n$HOME`, 'none'],
    ])
    expect([await readdir(outside), await readFile(join(cwd, 'made'), 'utf8')]).toEqual([[], 'x'])
  })

  it('is asked again and again, and is gone when its input ends', async () => {
    const { cwd, folder, sandbox, server } = await stage(``)
    const one = await setUpMcp(options(server(), sandbox), { cwd })
    for (const text of ['one', 'two']) expect(await one.textOf('mcp__one__echo', { text })).toMatch(/^echo \d+$/)
    expect(processesWith(cwd)).not.toEqual([])
    await one.contribution.dispose?.()
    expect(processesWith(cwd)).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('shows to nobody outside what its settings give it', async () => {
    const { cwd, sandbox, server } = await stage(``)
    await setUpMcp(options(server({ env: { TOKEN: 'given to it', LD_PRELOAD: `${cwd}/evil.so` } }), sandbox), { cwd })
    const ids = processesWith(cwd)
    expect(ids.length).toBeGreaterThan(1)
    expect(ids.map((id) => textOf(id, 'cmdline')).join()).not.toContain('given to it')
    // The server has it, and what has made the sandbox for it has not.
    expect(ids.filter((id) => textOf(id, 'environ').includes('evil.so'))).toHaveLength(1)
  })

  it('that stays when its input ends is told to end, and has time to', async () => {
    const { cwd, sandbox, server } = await stage(`${ATTEMPTS}
      setInterval(() => undefined, 1000)
      process.on('SIGTERM', () => { writes('goodbye'); process.exit() })`)
    const one = await setUpMcp(options(server(), sandbox), { cwd })
    await one.contribution.dispose?.()
    expect(await readFile(join(cwd, 'goodbye'), 'utf8')).toBe('x')
  })

  it('that listens to nobody is ended, with all that it has started', async () => {
    const { cwd, sandbox, server } = await stage(`
      setInterval(() => undefined, 1000)
      process.on('SIGTERM', () => undefined)
spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', process.cwd()], { detached: true, stdio: 'ignore' })`)
    const one = await setUpMcp(options(server(), sandbox), { cwd })
    await one.contribution.dispose?.()
    await vi.waitFor(() => expect(processesWith(cwd)).toEqual([]), PATIENT)
  })

  it.each([
    ['that ends says why', `console.error('no licence found'); process.exit(3)`, {}, /code 3: no licence found/],
    [
      'whose program is not there says so',
      '',
      { command: 'no-such-program' },
      /code 127: .*no-such-program.*not found/,
    ],
    ['whose folder is not there says so', '', { cwd: '/no/such/folder' }, /bwrap: Can't chdir to \/no\/such\/folder/],
    ['with an odd variable is not started', '', { env: { 'a=b': '' } }, /no variable can be called 'a=b'/],
  ])('%s', async (_what, behaviour, more, reason) => {
    const { cwd, sandbox, server } = await stage(behaviour)
    expect(await status(await setUpMcp(options(server(more), sandbox), { cwd }))).toMatch(reason)
  })

  it('has what would run later outside taken away at its end, and that is in the log', async () => {
    const { cwd, sandbox, server } = await stage(`${ATTEMPTS}
      writes('.envrc'); writes('kept')`)
    const { start } = await setUp(obeying())
    const store = memoryStore()
    const session = await start({ store, cwd, plugins: [mcp(options(server(), sandbox))] })
    await eventsOf(session.query('Hello.'))
    await session.close()
    expect((await readdir(cwd)).toSorted()).toEqual(['kept', 'server.mjs'])
    const log = await store.open(session.id, new AbortController().signal)
    const told: string[] = []
    for await (const entry of log.read()) if (entry.kind === 'notice') told.push(entry.text)
    expect(told).toEqual([expect.stringMatching(/^Of MCP server 'one': \.envrc was taken away again, since /)])
  })
})

describe('a server that is to run in a sandbox', () => {
  const server: McpServer = { command: process.execPath, args: ['-e', ''], sandbox: 'work' }

  it('does not start where there is none, and says why', async () => {
    const reason = 'bubblewrap was not found. Install it.'
    const none = { ...readySandbox(), status: async () => ({ name: 'none', reason }) as const }
    expect(await status(await setUpMcp(options(server, none)))).toContain(
      `one: failed: it is to run in a sandbox, and there is none: ${reason}`,
    )
    expect(await status(await setUpMcp(options(server)))).toContain(
      'one: failed: it is to run in a sandbox, and there is none: sandboxes are switched off here',
    )
  })

  it('is an error where the options say so with another word', async () => {
    const other = { ...server, sandbox: 'yes' } as unknown as McpServer
    await expect(setUpMcp(options(other))).rejects.toThrow(
      'the options of mcp(): servers.one.sandbox: say "work", or leave it out.',
    )
  })
})
