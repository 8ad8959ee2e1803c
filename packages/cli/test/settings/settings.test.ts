import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { findProjectRoot, loadSettings, settingsFiles } from '../../src/settings/load-settings.js'
import { mergeSettings, type Settings, settingsInForce } from '../../src/settings/settings.js'
import { type JsonSchema, settingsJsonSchema } from '../../src/settings/settings-schema.js'
import { nearestWord } from '../../src/terminal/nearest-word.js'
import { stage } from '../session/stage.js'

it('reads three files, the particular above the general, variables above files, the command line above all', async () => {
  const on = await stage({ NACRE_CONTEXT_WINDOW: '60000' })
  await on.write('~/.nacre/settings.json', { model: 'a', contextWindow: 1, flags: { x: true, y: true } })
  await on.write('.nacre/settings.json', { model: 'b', flags: { y: false }, permissions: { allow: ['Bash(ls)'] } })
  await on.write('.nacre/settings.local.json', { model: 'c', permissions: { allow: ['Read(src/**)'], mode: 'plan' } })
  const loaded = await loadSettings(on.terminal)
  expect(loaded.files.map(({ level }) => level)).toEqual(['user', 'project', 'local'])
  const settings = settingsInForce(loaded, true, { flags: { z: false }, permissions: { mode: 'acceptEdits' } })
  expect(settings).toEqual({
    model: 'c',
    contextWindow: 60_000,
    flags: { x: true, y: false, z: false },
    permissions: { allow: ['Bash(ls)', 'Read(src/**)'], mode: 'acceptEdits' },
  })
  const named = await stage({ NACRE_MODEL: 'from-variable' })
  await named.write('.nacre/settings.json', { model: 'from-file' })
  const both = await loadSettings(named.terminal)
  expect(settingsInForce(both, true).model).toBe('from-variable')
  expect(settingsInForce(both, true, { model: 'from-option' }).model).toBe('from-option')
})

it('takes of an untrusted folder only what can do no harm', async () => {
  const on = await stage()
  await on.write('.nacre/settings.json', {
    model: 'b',
    permissions: {
      allow: ['Bash'],
      deny: ['Read(.env)'],
      ask: ['Bash(git push:*)'],
      mode: 'acceptEdits',
      workspace: ['/'],
    },
    hooks: { Stop: [{ command: 'true' }] },
    plugins: ['x'],
    flags: { permissions: false },
  })
  const loaded = await loadSettings(on.terminal)
  expect(settingsInForce(loaded, false)).toEqual({
    model: 'b',
    permissions: { deny: ['Read(.env)'], ask: ['Bash(git push:*)'] },
  })
})

it('merges hooks and plugins, where a package that is named again takes the later options', () => {
  const below: Settings = { plugins: ['a', 'b'], hooks: { Stop: [{ command: 'one' }] } }
  const above: Settings = { plugins: [{ package: 'a', options: { n: 1 } }], hooks: { Stop: [{ command: 'two' }] } }
  expect(mergeSettings([below, above])).toEqual({
    plugins: [{ package: 'a', options: { n: 1 } }, 'b'],
    hooks: { Stop: [{ command: 'one' }, { command: 'two' }] },
  })
})

describe('a mistake names the file, the key, what was expected and what was probably meant', () => {
  const cases: readonly (readonly [unknown, ...string[]])[] = [
    [{ modle: 'x' }, "There is no setting 'modle'. Did you mean 'model'? Known: model, contextWindow"],
    [{ permissions: { alow: [] } }, "There is no setting 'alow' in permissions. Did you mean 'allow'?"],
    [{ hooks: { PreToolUs: [] } }, "There is no setting 'PreToolUs' in hooks. Did you mean 'PreToolUse'?"],
    [{ hooks: { Stop: [{ comand: 'x' }] } }, "There is no setting 'comand' in hooks.Stop[0]. Did you mean 'command'?"],
    [{ contextWindow: 'large' }, 'contextWindow is "large"; it has to be a whole number of tokens, such as 200000.'],
    [{ contextWindow: -1 }, 'contextWindow is -1; it has to be a whole number of tokens above 0.'],
    [
      { permissions: { mode: 'acceptedits' } },
      'permissions.mode is "acceptedits"; it has to be one of',
      'Did you mean "acceptEdits"?',
    ],
    [{ permissions: { allow: 'Bash' } }, 'permissions.allow is "Bash"; it has to be a list of rules, such as'],
    [{ flags: { 'compact.clear': 'off' } }, 'flags.compact.clear is "off"; it has to be true or false.'],
    [{ plugins: [{ pakage: 'x' }] }, "There is no setting 'pakage' in plugins[0]. Did you mean 'package'?"],
    [{ plugins: [5] }, 'plugins[0] is 5; it has to be the name of a package, or an object'],
    [{ compact: { policy: 'econmy' } }, 'compact.policy is "econmy"', 'Did you mean "economy"?'],
    [{ compact: { idle: { minutes: 0 } } }, 'compact.idle.minutes is 0; it has to be minutes above 0, such as 60.'],
    [{ compact: { idle: { keep: 1.5 } } }, 'compact.idle.keep is 1.5; it has to be a whole number of results'],
    [{ cache: { ttl: '10m' } }, 'cache.ttl is "10m"; it has to be one of "5m" or "1h".'],
    [{ cache: { edits: 'yes' } }, 'cache.edits is "yes"; it has to be true or false.'],
    [
      { sandbox: { use: 'nono' } },
      'sandbox.use is "nono"; it has to be one of "auto" or "none".',
      'Did you mean "none"?',
    ],
    [{ sandbox: { outside: 'git push' } }, 'sandbox.outside is "git push"; it has to be a list of commands, such as'],
    [{ sandbox: { bypass: 'read' } }, 'sandbox.bypass is "read"; it has to be one of "outside" or "work".'],
    [{ sandbox: { hiden: [] } }, "There is no setting 'hiden' in sandbox. Did you mean 'hidden'?"],
    [[], 'The file is []; it has to be an object, such as'],
    ['{ "model": ', 'It is no JSON:'],
    [{ mcpServers: {} }, 'mcpServers belongs into .mcp.json here'],
    [{ permissions: { mode: 'bypassPermissions' } }, 'which a project can not set'],
  ]
  it.each(cases)('%j', async (content, ...expected) => {
    const on = await stage()
    const file = await on.write('.nacre/settings.json', content)
    const error = await loadSettings(on.terminal).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'INVALID_SETTINGS' })
    for (const text of [file, ...expected]) expect((error as Error).message).toContain(text)
  })
})

it('names every mistake of a file at once', async () => {
  const on = await stage()
  await on.write('.nacre/settings.json', { modle: 'x', contextWindow: 1.5 })
  await expect(loadSettings(on.terminal)).rejects.toThrow(/contextWindow is 1\.5[\s\S]*no setting 'modle'/)
})

it('names a variable that makes no sense', async () => {
  const window = await stage({ NACRE_CONTEXT_WINDOW: 'huge' })
  await expect(loadSettings(window.terminal)).rejects.toThrow("NACRE_CONTEXT_WINDOW is 'huge'")
  const percent = await stage({ NACRE_AUTOCOMPACT_PCT: '0' })
  await expect(loadSettings(percent.terminal)).rejects.toThrow("NACRE_AUTOCOMPACT_PCT is '0'")
})

it('knows the other spellings of modes and of the workspace', async () => {
  const on = await stage()
  await on.write('~/.nacre/settings.json', {
    $schema: 'x',
    permissions: { mode: 'accept-edits', additionalDirectories: ['../a'] },
  })
  const { files } = await loadSettings(on.terminal)
  expect(files[0]?.settings).toEqual({ permissions: { mode: 'acceptEdits', workspace: ['../a'] } })
})

it('finds the project from any folder below it, by its real path, and never takes the home for one by its settings', async () => {
  const on = await stage()
  await mkdir(join(on.root, 'src', 'deep'), { recursive: true })
  expect(findProjectRoot(join(on.root, 'src', 'deep'), on.home)).toBe(on.root)
  await mkdir(join(on.root, 'src', '.nacre'))
  expect(findProjectRoot(join(on.root, 'src', 'deep'), on.home)).toBe(join(on.root, 'src'))
  await symlink(on.root, join(on.home, 'link'))
  expect(findProjectRoot(join(on.home, 'link'), on.home)).toBe(on.root)
  await mkdir(join(on.home, '.nacre'))
  await symlink(on.home, join(on.root, 'home-link'))
  await mkdir(join(on.home, '.git'))
  // The person's own file, by whatever name the home goes, is not the project's as well.
  const levels = settingsFiles(findProjectRoot(on.home, on.home), join(on.root, 'home-link')).map(({ level }) => level)
  expect(levels).toEqual(['user', 'local'])
  await rm(join(on.home, '.git'), { recursive: true })
  await mkdir(join(on.home, 'plain'))
  expect(findProjectRoot(join(on.home, 'plain'), on.home)).toBe(join(on.home, 'plain'))
})

it('describes every setting for editors, with an example', () => {
  const undescribed = (schema: JsonSchema, path: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, below]) => {
      const isHook = path.endsWith('hooks')
      const isFine = isHook || key === '$schema' || (below.description !== undefined && below.examples !== undefined)
      return [...(isFine ? [] : [`${path}.${key}`]), ...undescribed(below, `${path}.${key}`)]
    })
  const schema = settingsJsonSchema()
  expect(undescribed(schema, '')).toEqual([])
  expect(schema.properties?.permissions?.properties?.mode).toMatchObject({ enum: expect.arrayContaining(['plan']) })
  expect(schema.additionalProperties).toBe(false)
})

it('has examples that are right by the schema itself, and a row with an example for each setting in the documentation', async () => {
  const schema = settingsJsonSchema()
  const ajv = new Ajv({ strict: false })
  const wrong = (part: JsonSchema, path: string): string[] => {
    const isRight = ajv.compile(part)
    return [
      ...(part.examples ?? []).flatMap((example) => (isRight(example) ? [] : [`${path}: ${JSON.stringify(example)}`])),
      ...Object.entries(part.properties ?? {}).flatMap(([key, below]) => wrong(below, `${path}.${key}`)),
    ]
  }
  expect(wrong(schema, '')).toEqual([])
  const documentation = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  const rows = documentation.split('\n').filter((line) => line.startsWith('| `'))
  const names = Object.entries(schema.properties ?? {}).flatMap(([key, below]) =>
    ['permissions', 'compact', 'cache', 'dream', 'agents', 'webSearch', 'sandbox'].includes(key)
      ? Object.keys(below.properties ?? {}).map((inner) => `${key}.${inner}`)
      : [key],
  )
  const undocumented = names.filter(
    (name) => !rows.some((row) => new RegExp(`^\\| \`${name.replace('$', '\\$')}\` \\|.*\\| \`.+\` \\|$`).test(row)),
  )
  expect(undocumented).toEqual([])
})

it('suggests a word that is a slip away, and none that is not', () => {
  expect(nearestWord('modle', ['model', 'mode'])).toBe('model')
  expect(nearestWord('sesions', ['sessions', 'undo'])).toBe('sessions')
  expect(nearestWord('banana', ['model', 'flags'])).toBeUndefined()
})

describe.skipIf(process.platform === 'win32')('a settings file of the project', () => {
  it.each([
    ['a pipe', 'it is a pipe, not a regular file', (file: string) => execFileSync('mkfifo', [file])],
    ['a link to a device', 'it is a device, not a regular file', (file: string) => symlink('/dev/zero', file)],
    ['60 MB of nothing', 'it is larger than 1000000 bytes', makeLarge],
  ])('that is %s is told at once, with what to do', async (_what, reason, make) => {
    const on = await stage()
    await on.write('.nacre/settings.local.json', {})
    const file = join(on.root, '.nacre', 'settings.json')
    await make(file)
    const message = `${file}: It can not be read (${reason}). Mend it or its permissions, or move it away.`
    await expect(loadSettings(on.terminal)).rejects.toMatchObject({ code: 'INVALID_SETTINGS', message })
  })
})

async function makeLarge(file: string): Promise<void> {
  await writeFile(file, '')
  await truncate(file, 60_000_000)
}
