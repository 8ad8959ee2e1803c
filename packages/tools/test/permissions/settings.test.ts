import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPermissions, readPermissionSettings } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { bashTool } from './bash-tool.js'

async function places(files: Partial<Record<'managed' | 'user' | 'project' | 'local', unknown>>) {
  const folder = await temporaryFolder()
  const place = { cwd: join(folder, 'project'), home: join(folder, 'home'), managed: join(folder, 'managed') }
  const paths = {
    managed: join(place.managed, 'settings.json'),
    user: join(place.home, '.nacre/settings.json'),
    project: join(place.cwd, '.nacre/settings.json'),
    local: join(place.cwd, '.nacre/settings.local.json'),
  }
  for (const [level, value] of Object.entries(files)) {
    const path = paths[level as keyof typeof paths]
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { place, paths }
}

const run = (command: string) => ({ id: 'call', name: 'Bash', input: { command } })

it('reads rules from all levels, each with its file', async () => {
  const { place, paths } = await places({
    managed: { permissions: { deny: ['Bash(curl:*)'] } },
    user: { permissions: { allow: ['Bash(make:*)'] } },
    project: { flags: {}, permissions: { ask: ['Bash(git push:*)'] } },
    local: { permissions: { allow: ['Bash(curl:*)'], additionalDirectories: ['../beside'], mode: 'accept-edits' } },
  })
  const settings = await readPermissionSettings(place)
  expect(settings.rules.map(({ text, verdict, origin }) => [verdict, text, origin])).toEqual([
    ['deny', 'Bash(curl:*)', { level: 'managed', file: paths.managed }],
    ['allow', 'Bash(make:*)', { level: 'user', file: paths.user }],
    ['ask', 'Bash(git push:*)', { level: 'project', file: paths.project }],
    ['allow', 'Bash(curl:*)', { level: 'local', file: paths.local }],
  ])
  expect(settings).toMatchObject({ mode: 'accept-edits', workspace: [join(place.cwd, '../beside')] })
})

it('knows the spellings of the command line', async () => {
  const { place } = await places({ local: { permissions: { mode: 'acceptEdits', workspace: ['../beside'] } } })
  const settings = await readPermissionSettings(place)
  expect(settings).toMatchObject({ mode: 'accept-edits', workspace: [join(place.cwd, '../beside')] })
  const { place: project } = await places({ project: { permissions: { mode: 'bypassPermissions' } } })
  await expect(readPermissionSettings(project)).rejects.toThrow('permissions.mode in')
})

it('lets a deny win at whatever level, and says where it stands', async () => {
  const { place, paths } = await places({
    user: { permissions: { deny: ['Bash(curl:*)'] } },
    local: { permissions: { allow: ['Bash(curl:*)', 'Bash(curl https://example.com)'] } },
  })
  const live = createPermissions({ settings: await readPermissionSettings(place), rules: { allow: ['Bash'] } })
  expect(live.judge(run('curl https://example.com'), bashTool().tool, place.cwd)).toMatchObject({
    verdict: 'deny',
    reason: `The deny rule Bash(curl:*) (user settings, ${paths.user}) speaks of \`curl https://example.com\`.`,
  })
})

it('has none where there are no files, and leaves levels out that are not asked for', async () => {
  const { place } = await places({ project: { permissions: { allow: ['Bash'] } } })
  expect((await readPermissionSettings({ ...place, levels: ['managed', 'user'] })).rules).toEqual([])
  const { place: empty } = await places({})
  expect(await readPermissionSettings(empty)).toEqual({ rules: [], workspace: [] })
})

it('asks before the files that hold the rules are changed, wherever they are', async () => {
  const { place, paths } = await places({ managed: { permissions: { allow: ['Edit(**)'] } } })
  const live = createPermissions({
    settings: await readPermissionSettings(place),
    mode: 'accept-edits',
    workspace: [place.managed],
  })
  const tool = { ...bashTool().tool, name: 'Write' }
  const write = (file_path: string) => live.judge({ id: 'call', name: 'Write', input: { file_path } }, tool, place.cwd)
  expect(write(paths.managed).verdict).toBe('ask')
  expect(write(join(place.managed, 'other.json')).verdict).toBe('allow')
})

it.each([
  ['Bash(', 'it has to be Tool or Tool(what)'],
  ['Bash()', 'there is nothing between the brackets'],
  ['Bash(git diff:* HEAD)', "':*' stands only at the end"],
  ['Bash(git diff; rm:*)', 'has to be one command'],
  ['Bash("git diff:*)', 'it is no command'],
  ['WebFetch(example.com)', 'it has to name a domain'],
  ['mcp__server(x)', 'take no brackets'],
  ['Ba*', 'a star stands for many tools only'],
  ['', 'it has to be Tool or Tool(what)'],
  [7, 'a rule is a text'],
])('names the file and the rule that is broken: %j', async (rule, problem) => {
  const { place, paths } = await places({ project: { permissions: { allow: [rule] } } })
  const reading = readPermissionSettings(place)
  await expect(reading).rejects.toMatchObject({ code: 'INVALID_SETTINGS' })
  const message = await reading.catch((error: Error) => error.message)
  for (const part of [paths.project, String(rule), problem]) expect(message).toContain(part)
})

it.each([
  [{ permissions: [] }, 'permissions in'],
  [{ permissions: { allow: 'Bash' } }, 'permissions.allow in'],
  [{ permissions: { alow: [] } }, 'permissions.alow in'],
  [{ permissions: { mode: 'yolo' } }, 'permissions.mode in'],
  [{ permissions: { mode: 'bypass' } }, 'has to be one of default, accept-edits, plan.'],
  [{ permissions: { additionalDirectories: [1] } }, 'permissions.additionalDirectories in'],
  ['{ no json', 'is no JSON'],
])('names the file and the key that are broken: %j', async (value, words) => {
  const { place, paths } = await places({ project: value })
  const message = await readPermissionSettings(place).catch((error: Error) => error.message)
  expect(message).toContain(words)
  expect(message).toContain(paths.project)
})
