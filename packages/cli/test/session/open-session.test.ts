import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scripted, startSimulator } from '@nacre/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunOptions } from '../../src/arguments/run-options.js'
import { openSession } from '../../src/session/open-session.js'
import type { OpenedSession, OpenNeeds } from '../../src/session/opened-session.js'
import { runSlashCommand } from '../../src/slash/slash-commands.js'
import { exitCodeOf } from '../../src/terminal/error-exit-code.js'
import { EXIT } from '../../src/terminal/terminal.js'
import { trust } from '../../src/trust/trusted-folders.js'
import { loadSessions } from './load-sessions.js'
import { runOptions, type Stage, stage } from './stage.js'

loadSessions()
async function opened(on: Stage, options: Partial<RunOptions> = {}, needs: OpenNeeds = {}): Promise<OpenedSession> {
  const session = await openSession(on.terminal, runOptions(options), needs)
  onTestFinished(() => session.close())
  return session
}

/** What a query says in the end, with the calls it made. */
async function ask(
  { session }: OpenedSession,
  prompt: string,
): Promise<{ text: string; calls: string[]; end: string }> {
  const calls: string[] = []
  let [text, end] = ['', '']
  for await (const event of session.query(prompt)) {
    if (event.type === 'tool-end') calls.push(event.call.name)
    if (event.type === 'response') text = event.entry.content.map((block) => String(block.text ?? '')).join('')
    if (event.type === 'end') end = event.error?.message ?? event.reason
  }
  return { text, calls, end }
}

describe('a session that goes on', () => {
  const isAboutPrompt = (notice: string) => notice.includes('goes on with the system prompt')

  it('says where its tools are others today, and takes those up when it is told to', async () => {
    const on = await stage()
    const open = { kind: 'continue', fork: false } as const
    const without = { open, overrides: { flags: { agents: false } } }
    const first = await opened(on)
    await ask(first, 'List the files in src')
    await first.close()
    const same = await opened(on, { open })
    expect(same.notices.filter(isAboutPrompt)).toEqual([])
    await same.close()
    const other = await opened(on, without)
    expect(other.notices.find(isAboutPrompt)).toMatch(/tools that are gone: .*\/take-up/)
    await other.close()
    const taken = await opened(on, { ...without, takeUp: true })
    expect(taken.notices.at(-1)).toMatch(/^Taken up: tools that are gone: .*\$\d/)
    await ask(taken, 'List the files in src')
    await taken.close()
    const after = await opened(on, without)
    expect(after.notices.filter(isAboutPrompt)).toEqual([])
    const { text } = await runSlashCommand('/take-up', { opened: after, width: 200, hasColour: false, signal })
    expect(text).toContain('those of today already')
  })
})

const { signal } = new AbortController()

describe('offline', () => {
  it('lists, reads and searches real files, and says that no language model answers', async () => {
    const on = await stage()
    await on.write('src/port.ts', 'export const port = 8443\n')
    const session = await opened(on)
    expect(session.notices[0]).toContain('no language model answers')
    const listed = await ask(session, 'List the files in src')
    expect(listed).toMatchObject({ calls: ['Glob'], end: 'done' })
    expect(listed.text).toContain('port.ts')
    expect(listed.text).toContain('no language model answers')
    expect((await ask(session, 'Read src/port.ts')).text).toContain('port = 8443')
    expect((await ask(session, 'Search for "8443" in src')).text).toContain('port.ts')
    expect((await ask(session, 'What is love?')).text).toContain('It knows no job that fits "What is love?"')
  })

  it('asks before it writes, and writes when it may', async () => {
    const on = await stage()
    const asked: string[] = []
    const needs: OpenNeeds = {
      ask: async ({ name }) => {
        asked.push(name)
        return 'allow'
      },
    }
    const session = await opened(on, {}, needs)
    expect(await ask(session, 'Write "Hello" to hello.txt')).toMatchObject({ calls: ['Write'], end: 'done' })
    expect(asked).toEqual(['Write'])
    expect(await readdir(on.root)).toContain('hello.txt')
  })

  it('has the window that settings name', async () => {
    const on = await stage({ NACRE_CONTEXT_WINDOW: '40000' })
    const session = await opened(on)
    expect(session.model.window).toBe(40_000)
    expect((await ask(session, 'List the files')).end).toBe('done')
  })
})

describe('the way to a model', () => {
  it('is named in one sentence with three ways on where there is none', async () => {
    const on = await stage()
    const error = await openSession(on.terminal, runOptions({ isOffline: false })).catch((thrown: unknown) => thrown)
    expect(exitCodeOf(error)).toBe(EXIT.noModel)
    const { message } = error as Error
    for (const way of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', '--offline']) expect(message).toContain(way)
    expect(message.match(/\.\s/g)).toBeNull()
  })

  it('is the address that a variable names, with the model of the settings', async () => {
    const simulator = await startSimulator({ model: scripted(['Hello.']) })
    onTestFinished(() => simulator.close())
    const on = await stage({
      ANTHROPIC_BASE_URL: simulator.url,
      ANTHROPIC_API_KEY: 'test',
      NACRE_MODEL: 'claude-sonnet-5-5',
    })
    const session = await opened(on, { isOffline: false })
    expect(session.model.id).toBe('claude-sonnet-5-5')
    expect(await ask(session, 'Hi')).toMatchObject({ text: 'Hello.', end: 'done' })
    expect(session.session.cost().dollars).toBeCloseTo(simulator.ledger.totals().dollars, 10)
  })

  it('refuses a name that is another spelling of a known one, and only warns about unknown ones', async () => {
    const on = await stage({ ANTHROPIC_API_KEY: 'test' })
    const open = (model: string) => opened(on, { isOffline: false, overrides: { model } })
    await expect(open('opus-5.5')).rejects.toThrow("no model 'opus-5.5'. Did you mean 'claude-opus-5-5'?")
    expect((await open('claude-opus-9')).notices.join()).toContain('Unknown model claude-opus-9')
  })
})

describe('which session', () => {
  it('goes on with the latest, one by words of its title or its id, or a copy', async () => {
    const on = await stage()
    const [first, second] = [await opened(on, { open: { kind: 'new', id: 'one-1' } }), await opened(on)]
    await ask(first, 'Read the harbour plan')
    await ask(second, 'Read the garden plan')
    await first.close()
    await second.close()
    const by = async (open: RunOptions['open']) => {
      const session = await opened(on, { open })
      await session.close()
      return session.session.id
    }
    expect(await by({ kind: 'resume', text: 'HARBOUR', fork: false })).toBe('one-1')
    expect(await by({ kind: 'resume', text: 'one', fork: false })).toBe('one-1')
    const copy = await by({ kind: 'resume', text: 'harbour', fork: true })
    expect([first.session.id, second.session.id]).not.toContain(copy)
    await expect(by({ kind: 'resume', text: 'plan', fork: false })).rejects.toThrow(
      "'plan' may be any of 3 sessions; name one by its id",
    )
    await expect(by({ kind: 'resume', text: 'moon', fork: false })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(by({ kind: 'new', id: 'one-1' })).rejects.toThrow('There is a session one-1 already')
    const picked = await opened(
      on,
      { open: { kind: 'resume', fork: false } },
      { pickSession: async () => second.session.id },
    )
    expect(picked.session.id).toBe(second.session.id)
  })

  it('says that there is none to go on with', async () => {
    const on = await stage()
    await expect(opened(on, { open: { kind: 'continue', fork: false } })).rejects.toThrow(
      'There is no session in this project yet',
    )
  })
})

describe('trust', () => {
  const project = async (on: Stage): Promise<string> => {
    const ran = join(on.home, 'ran')
    await on.write('.nacre/settings.json', {
      hooks: { SessionStart: [{ command: `touch ${ran}-hook` }] },
      plugins: ['./plugin.mjs'],
      permissions: { allow: ['Bash(touch:*)'], deny: ['Read(secret.txt)'] },
      flags: { compact: false },
    })
    await on.write(
      'plugin.mjs',
      `import { writeFileSync } from 'node:fs'\nwriteFileSync('${ran}-plugin', '')\nexport const mine = { name: 'mine', setup: () => ({}) }\n`,
    )
    await on.write('server.sh', `#!/bin/sh\ntouch ${ran}-server\n`)
    await chmod(join(on.root, 'server.sh'), 0o755)
    await on.write('.mcp.json', { mcpServers: { s: { command: join(on.root, 'server.sh') } } })
    return ran
  }
  const marks = async (on: Stage) => (await readdir(on.home)).filter((name) => name.startsWith('ran-')).sort()

  it('starts nothing of a folder that nobody trusts, says so, and keeps what the folder forbids', async () => {
    const on = await stage()
    await project(on)
    const session = await opened(on)
    expect(await marks(on)).toEqual([])
    expect(session.notices.join()).toContain('1 hook, 1 MCP server, 1 plugin, 1 permission, 1 flag')
    expect(session.plugins.map(({ name }) => name)).not.toContain('mine')
    expect(session.session.flags.isOn('compact')).toBe(true)
    expect(session.permissions.rules().map(({ text }) => text)).toEqual(['Read(secret.txt)'])
  })

  it('asks with all that would start, and starts it once and for all when it may', async () => {
    const on = await stage()
    await project(on)
    let asked = 0
    const trustAsked: OpenNeeds['trustAsked'] = async ({ folder, items }) => {
      asked += 1
      expect(folder).toBe(on.root)
      expect(items).toHaveLength(5)
      return true
    }
    const session = await opened(on, {}, { trustAsked })
    expect(await marks(on)).toEqual(['ran-hook', 'ran-plugin', 'ran-server'])
    expect(session.plugins.map(({ name }) => name)).toContain('mine')
    expect(session.session.flags.isOn('compact')).toBe(false)
    await session.close()
    await opened(on, {}, { trustAsked })
    expect(asked).toBe(1)
  })

  it('never loads code of an untrusted folder for a plugin that the person named', async () => {
    const on = await stage()
    const plugin = (word: string) => `export default { name: '${word}', setup: () => ({}) }\n`
    for (const [folder, word] of [
      [on.root, 'evil'],
      [on.data, 'good'],
    ] as const) {
      const place = join(folder, 'node_modules', 'wanted')
      await writePackage(place, plugin(word))
    }
    await on.write('~/.nacre/settings.json', { plugins: ['wanted'] })
    expect((await opened(on)).plugins.at(-1)?.name).toBe('good')
    await trust(on.data, on.root, 1)
    expect((await opened(on)).plugins.at(-1)?.name).toBe('evil')
  })
})

async function writePackage(
  place: string,
  source: string,
  manifest: object = { type: 'module', exports: './index.js' },
) {
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'package.json'), JSON.stringify({ name: 'wanted', version: '1.0.0', ...manifest }))
  await writeFile(join(place, 'index.js'), source)
}

describe('a plugin of a package', () => {
  const plugin = "{ name: 'mine', setup: () => ({}) }"
  const load = async (source: string, manifest?: object, settings: object = { plugins: ['wanted'] }) => {
    const on = await stage()
    await writePackage(join(on.data, 'node_modules', 'wanted'), source, manifest)
    await on.write('~/.nacre/settings.json', settings)
    return (await opened(on)).plugins.at(-1)?.name
  }

  it.each([
    ['its default', `export default ${plugin}`],
    ['its only plugin', `export const other = 1, mine = ${plugin}`],
    ['its only function that makes one', `export const make = () => (${plugin})`],
    ['a list', `export default async () => [${plugin}]`],
  ])('is %s', async (_, source) => {
    expect(await load(source)).toBe('mine')
  })

  it('may be of the older kind, or hidden behind conditions', async () => {
    expect(await load(`module.exports = { mine: ${plugin} }`, { main: 'index.js' })).toBe('mine')
    const exports = { '.': { types: './x.d.ts', import: { node: './index.js' }, require: './no.cjs' } }
    expect(await load(`export default ${plugin}`, { type: 'module', exports })).toBe('mine')
  })

  it('is made with its options', async () => {
    const source = 'export default ({ word }) => ({ name: word, setup: () => ({}) })'
    expect(await load(source, undefined, { plugins: [{ package: 'wanted', options: { word: 'made' } }] })).toBe('made')
  })

  it.each([
    ['export const a = 1', "Plugin package 'wanted' exports a. It has to export one plugin"],
    ["throw new Error('broken inside')", 'failed to load from'],
    ["export default () => { throw new Error('no luck') }", 'failed to make its plugin: no luck'],
    ['export default () => 5', 'gives something that is no plugin'],
  ])('names the package where it is wrong: %s', async (source, expected) => {
    const error = await load(source).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'PLUGIN_SETUP_FAILED', details: { plugin: 'wanted' } })
    expect((error as Error).message).toContain(expected)
    expect((error as Error).message).toContain('wanted')
  })

  it('says how to install one that is not there', async () => {
    const on = await stage()
    const file = await on.write('~/.nacre/settings.json', { plugins: ['nowhere'] })
    const error = (await opened(on).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'MISSING_PLUGIN' })
    const everywhere = `npm install --prefix ${JSON.stringify(on.data)} nowhere`
    for (const part of ["'nowhere'", file, 'nobody trusts it', everywhere]) expect(error.message).toContain(part)
    await trust(on.data, on.root, 1)
    await expect(opened(on)).rejects.toThrow('npm install nowhere (or for all projects')
  })

  it('is named where one of its hooks throws: what only hears is reported, a gate stays shut', async () => {
    const on = await stage()
    const hooks = "SessionStart() { throw new Error('deaf') }, UserPromptSubmit() { throw new Error('no luck') }"
    const source = `export default { name: 'mine', setup: () => ({ hooks: { ${hooks} } }) }`
    await writePackage(join(on.data, 'node_modules', 'wanted'), source)
    await on.write('~/.nacre/settings.json', { plugins: ['wanted'] })
    const reported: string[] = []
    const session = await opened(on, {}, { report: ({ message }) => reported.push(message) })
    expect(reported).toEqual(["Hook SessionStart of plugin 'mine': deaf"])
    expect((await ask(session, 'List the files')).end).toBe("Hook UserPromptSubmit of plugin 'mine': no luck")
  })

  it('names itself where its setup fails', async () => {
    const source = "export default { name: 'mine', setup: () => { throw new Error('no disk') } }"
    await expect(load(source)).rejects.toThrow(/mine.*no disk/s)
  })
})

it('takes permissions of the command line, switches flags, and makes models while it is open', async () => {
  const on = await stage()
  const permissions = { mode: 'bypassPermissions', deny: ['Read(.env)'] } as const
  const session = await opened(on, { overrides: { permissions, flags: { 'compact.clear': false } } })
  expect(session.permissions.mode).toBe('bypass')
  expect(session.permissions.rules().map(({ text }) => text)).toEqual(['Read(.env)'])
  const { flags } = session.session
  expect(flags.isOn('compact.clear')).toBe(false)
  session.controls.setFlag('compact.clear', true)
  expect(flags.isOn('compact.clear')).toBe(true)
  expect(() => session.controls.setFlag('compact.claer', true)).toThrow("Did you mean 'compact.clear'?")
  expect(session.controls.modelNames()).toContain('claude-sonnet-5-5')
  await session.session.setModel(await session.controls.makeModel('claude-sonnet-5-5'))
  expect((await ask(session, 'List the files')).end).toBe('done')
  expect((await session.controls.diagnose(AbortSignal.timeout(10_000))).map(({ name }) => name)).toContain('node')
})
