import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mcp } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { setUpMcp } from './set-up-mcp.js'
import { isAlive, only, stdioServer } from './test-server.js'

const status = async (setUp: Awaited<ReturnType<typeof setUpMcp>>, args = '') =>
  setUp.contribution.commands?.find(({ name }) => name === 'mcp')?.run(args, {} as never)

const variable = (name: string) => `$\u007b${name}}`

const file = async (name: string, content: unknown) => {
  const folder = await temporaryFolder()
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return { folder, path }
}

describe('a server that does not start', () => {
  it('is reported with its reason, and keeps no other from starting', async () => {
    const [failing, fine] = [await stdioServer({ fails: true }), await stdioServer({ tools: ['echo'] })]
    const absent = { command: 'no-such-program-anywhere' }
    const { servers, ...rest } = only({ failing, fine })
    const setUp = await setUpMcp({ ...rest, servers: { ...servers, absent } })
    const text = await status(setUp)
    expect(text).toMatch(/failing: failed: the process ended with code 3: no licence found/)
    expect(text).toMatch(/absent: failed: it could not be started: spawn no-such-program-anywhere ENOENT/)
    expect(text).toMatch(/fine: connected \(1 tools, 1 prompts\)\n {2}mcp__fine__echo/)
    expect(await setUp.textOf('mcp__fine__echo', { text: 'yes' })).toBe('echo: yes')
    await failing.become({ tools: ['echo'] })
    expect(await status(setUp, 'reconnect failing')).toMatch(/^failing: connected/)
    expect(await setUp.textOf('mcp__failing__echo', { text: 'now' })).toBe('echo: now')
    expect(await status(setUp, 'reconnect nobody')).toContain("Say 'reconnect' and one of: failing, fine, absent")
  })

  it('in time is reported, and not left behind', async () => {
    const deaf = await stdioServer({ isDeaf: true })
    const setUp = await setUpMcp(only({ deaf }, { startTimeout: 1_500 }))
    expect(await status(setUp)).toContain('deaf: failed: it did not start within 1500 ms')
    const pids = (await deaf.journal()).map((line) => Number(line.split(' ')[1]))
    expect(pids.map(isAlive)).toEqual([false])
  })

  it('for want of a variable says which', async () => {
    const server = { command: 'node', args: [variable('NACRE_NOT_SET')] }
    const setUp = await setUpMcp({ ...only({}), servers: { one: server }, environment: {} })
    expect(await status(setUp)).toContain(
      "MCP server 'one' in the options of mcp(): the variable NACRE_NOT_SET is not set",
    )
  })
})

describe('a file of servers', () => {
  const broken = [
    ['{"mcpServers": {', /is no JSON: .*Mend it, or move it away/],
    ['[]', /the whole: Invalid input/],
    [{ mcpServers: { one: { args: [] } } }, /mcpServers\.one: give a command or a url/],
    [{ mcpServers: { one: { command: 7 } } }, /mcpServers\.one\.command: Invalid input/],
    [{ mcpServers: { one: { url: 'http://a', type: 'carrier pigeon' } } }, /mcpServers\.one\.type/],
    [
      { mcpServers: { one: { command: 'a', sandbox: 'read' } } },
      /mcpServers\.one\.sandbox: say "work", or leave it out/,
    ],
    [
      { mcpServers: { one: { url: 'http://a', sandbox: 'work' } } },
      /one\.sandbox: only a server that is a command runs in/,
    ],
  ] as const
  it.each(broken)('that is broken is an error with its name and the reason: %j', async (content, reason) => {
    const { folder, path } = await file('.mcp.json', content)
    const starting = mcp({ files: { user: false } }).setup({ cwd: folder } as never)
    await expect(starting).rejects.toMatchObject({ code: 'INVALID_SETTINGS' })
    await expect(starting).rejects.toThrow(path)
    await expect(starting).rejects.toThrow(reason)
  })

  it('may name variables, with defaults', async () => {
    const { server, journal } = await stdioServer({ tools: ['echo'] })
    const [program, settings] = [(server as { args: string[] }).args[0], (server as { env: object }).env]
    const named = { command: variable('NODE'), args: [variable(`PROGRAM:-${program}`)], env: settings }
    const { path } = await file('settings.json', { mcpServers: { one: named } })
    const environment = { NODE: process.execPath, PROGRAM: '' }
    const { textOf } = await setUpMcp({ files: { user: path, project: false }, environment })
    expect(await textOf('mcp__one__echo', { text: 'here' })).toBe('echo: here')
    expect(await journal()).toHaveLength(1)
  })
})

describe('a server of the project', () => {
  it('does not start until somebody approves it, and again not when it has changed', async () => {
    const { server, journal } = await stdioServer({ tools: ['echo'] })
    const { folder } = await file('.mcp.json', { mcpServers: { one: { ...server, trusted: true } } })
    const refused = await setUpMcp({ files: { user: false } }, { cwd: folder })
    const text = await status(refused)
    expect(text).toMatch(/MCP server 'one' of .*\.mcp\.json was not started: nobody has approved it/)
    expect(await journal()).toEqual([])

    const approval = text?.match(/one#[0-9a-f]+/)?.[0]
    const { path } = await file('settings.json', { approvedMcpServers: [approval] })
    const approved = await setUpMcp({ files: { user: path } }, { cwd: folder })
    expect(await status(approved)).toMatch(/one: connected/)
    // A project can not make itself trusted.
    expect(approved.tool('mcp__one__echo').isReadOnly({})).toBe(false)

    await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { one: { command: 'rm' } } }))
    expect(await status(await setUpMcp({ files: { user: path } }, { cwd: folder }))).toContain('nobody has approved it')
  })

  it('is not approved by the approval of the same words in another project', async () => {
    const servers = { mcpServers: { one: { command: 'node', args: ['./server.mjs'] } } }
    const [mine, strange] = [await file('.mcp.json', servers), await file('.mcp.json', servers)]
    const text = await status(await setUpMcp({ files: { user: false } }, { cwd: mine.folder }))
    // Of a short fingerprint two could be found that are the same.
    const approval = text?.match(/one#[0-9a-f]{64}/)?.[0]
    expect(approval).toBeDefined()
    const { path } = await file('settings.json', { approvedMcpServers: [approval] })
    const elsewhere = await setUpMcp({ files: { user: path } }, { cwd: strange.folder })
    expect(await status(elsewhere)).toContain('nobody has approved it')
  })

  it('is put to whoever approves, as it is written', async () => {
    const { folder } = await file('.mcp.json', { mcpServers: { one: { command: variable('SECRET') } } })
    const asked: unknown[] = []
    const approve = (server: unknown) => asked.push(server) === 0
    await setUpMcp({ files: { user: false }, approve, environment: { SECRET: 'x' } }, { cwd: folder })
    expect(asked).toMatchObject([{ name: 'one', from: 'project', server: { command: variable('SECRET') } }])
  })

  it('gives way to one of the same name that the person has named', async () => {
    const { folder } = await file('.mcp.json', { mcpServers: { one: { command: 'rm' } } })
    const { path } = await file('settings.json', { mcpServers: { one: { command: 'also-rm' } } })
    const fine = await stdioServer({ tools: ['echo'] })
    const setUp = await setUpMcp({ servers: { one: fine.server }, files: { user: path } }, { cwd: folder })
    expect(await status(setUp)).toBe('one: connected (1 tools, 1 prompts)\n  mcp__one__echo')
  })
})

describe.skipIf(process.platform === 'win32')('a file of servers that the project brings', () => {
  it.each([
    ['a pipe', 'it is a pipe, not a regular file', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', 'it is a device, not a regular file', (path: string) => symlink('/dev/zero', path)],
    ['60 MB', 'it is larger than 1000000 bytes', (path: string) => writeFile(path, '').then(() => truncate(path, 6e7))],
  ])('and that is %s is refused at once, with what to do', async (_what, reason, make) => {
    const cwd = await temporaryFolder()
    const path = join(cwd, '.mcp.json')
    await make(path)
    const message = `${path} can not be read (${reason}). Mend it, or move it away.`
    await expect(setUpMcp({ files: { user: false } }, { cwd })).rejects.toThrow(message)
  })
})
