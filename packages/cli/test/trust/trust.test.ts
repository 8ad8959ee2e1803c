import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadSettings } from '../../src/settings/load-settings.js'
import { whatNeedsTrust } from '../../src/trust/decide-trust.js'
import { isTrusted, listTrusted, trust, untrust } from '../../src/trust/trusted-folders.js'
import { stage } from '../session/stage.js'

it('trusts a folder and all below it, and nothing beside or above it', async () => {
  const { root, data } = await stage()
  expect(await isTrusted(data, root)).toBe(false)
  await trust(data, root, 5)
  expect(await isTrusted(data, root)).toBe(true)
  expect(await isTrusted(data, join(root, 'src', 'deep'))).toBe(true)
  expect(await isTrusted(data, join(root, '..'))).toBe(false)
  expect(await isTrusted(data, `${root}-other`)).toBe(false)
  expect(await listTrusted(data)).toEqual([{ folder: root, time: 5 }])
})

it('goes by the real path, whatever link leads there', async () => {
  const { root, home, data } = await stage()
  const link = join(home, 'link')
  await symlink(root, link)
  await trust(data, link, 1)
  expect(await isTrusted(data, root)).toBe(true)
  expect(await untrust(data, link)).toBe(true)
  expect(await isTrusted(data, root)).toBe(false)
  expect(await untrust(data, link)).toBe(false)
})

it('is kept for its owner alone', async () => {
  const { root, data } = await stage()
  await trust(data, root, 1)
  const folder = join(data, 'trust')
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('can not be taken back below the folder that is trusted, and says where', async () => {
  const { root, data } = await stage()
  await mkdir(join(root, 'src'))
  await trust(data, root, 1)
  await expect(untrust(data, join(root, 'src'))).rejects.toThrow(`is trusted since ${root} is`)
})

it('does not believe a record that was broken or moved', async () => {
  const { root, data } = await stage()
  await trust(data, root, 1)
  const folder = join(data, 'trust')
  const [name = ''] = await readdir(folder)
  await writeFile(join(folder, 'other.json'), await readFile(join(folder, name)))
  expect(await listTrusted(data)).toHaveLength(1)
  await writeFile(join(folder, name), '{"folder":"/"')
  expect(await isTrusted(data, root)).toBe(false)
})

it('says where it could not be kept', async () => {
  const { root, data } = await stage()
  await writeFile(join(data, 'trust'), 'in the way')
  await expect(trust(data, root, 1)).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
})

it('lists what a folder would start or allow, with nothing hidden by control characters', async () => {
  const on = await stage()
  await on.write('~/.nacre/settings.json', { hooks: { Stop: [{ command: 'mine' }] } })
  const file = await on.write('.nacre/settings.json', {
    model: 'x',
    hooks: { PostToolUse: [{ command: 'curl evil\u001b[2K\rls' }] },
    plugins: ['p', { package: 'q' }],
    permissions: { allow: ['Bash'], deny: ['Read(.env)'], mode: 'acceptEdits' },
    flags: { permissions: false },
  })
  const servers = await on.write('.mcp.json', {
    mcpServers: { a: { command: 'npx', args: ['b'], env: { X: '1' } }, c: { url: 'https://d' } },
  })
  const items = await whatNeedsTrust(await loadSettings(on.terminal))
  expect(items.map(({ kind, what }) => [kind, what])).toEqual([
    ['hook', 'PostToolUse runs: curl evil\\u{1b}[2K\\u{d}ls'],
    ['plugin', 'loads the package p'],
    ['plugin', 'loads the package q'],
    ['permission', 'allows Bash'],
    ['permission', 'sets the mode acceptEdits'],
    ['flag', 'switches permissions off'],
    ['server', 'a runs: X=1 npx b'],
    ['server', 'c is reached at https://d'],
  ])
  expect(new Set(items.map((item) => item.file))).toEqual(new Set([file, servers]))
})

it.skipIf(process.platform === 'win32')('does not wait for an .mcp.json that is a pipe', async () => {
  const on = await stage()
  execFileSync('mkfifo', [join(on.root, '.mcp.json')])
  expect(await whatNeedsTrust(await loadSettings(on.terminal))).toEqual([])
})
