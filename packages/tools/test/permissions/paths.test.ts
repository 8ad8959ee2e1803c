import { mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Tool, ToolCall } from '@nacre/core'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createPermissions, defineTool, type PermissionsOptions, permissions, realPath } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const input = z.object({
  file_path: z.string().optional(),
  path: z.string().optional(),
  pattern: z.string().optional(),
})
const fileTool = (name: string) =>
  defineTool({ name, description: name, input, title: () => name, run: () => 'Done.' }) as Tool

function judging(folder: string, options: PermissionsOptions = {}) {
  const live = createPermissions(options)
  return (name: string, path: string) => {
    const field = name === 'Grep' || name === 'Glob' ? 'path' : 'file_path'
    const call: ToolCall = { id: 'call', name, input: { [field]: path } }
    return live.judge(call, fileTool(name), folder).verdict
  }
}

async function workspace() {
  const outside = await temporaryFolder()
  const folder = join(outside, 'workspace')
  for (const name of ['src', 'docs', '.git/hooks', '.ssh', '.nacre'])
    await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'src/a.ts'), 'a')
  await writeFile(join(folder, '.env'), 'KEY=1')
  await writeFile(join(outside, 'secret'), 'secret')
  return { folder, outside }
}

it('lets every tool that reads read, and asks for every tool that writes', async () => {
  const { folder } = await workspace()
  const judge = judging(folder)
  for (const name of ['Read', 'Grep', 'Glob']) expect(judge(name, 'src')).toBe('allow')
  for (const name of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']) expect(judge(name, 'src/a.ts')).toBe('ask')
})

it('covers all tools that write by a rule for Edit, and all that read by one for Read', async () => {
  const { folder } = await workspace()
  const judge = judging(folder, { rules: { allow: ['Edit(src/**)'], deny: ['Read(docs/**)'] } })
  for (const name of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']) {
    expect(judge(name, 'src/a.ts')).toBe('allow')
    expect(judge(name, join(folder, 'src/a.ts'))).toBe('allow')
    expect(judge(name, 'docs/a.md')).toBe('ask')
    expect(judge(name, 'src/../docs/a.md')).toBe('ask')
    expect(judge(name, 'SRC/a.ts')).toBe('ask')
  }
  for (const name of ['Read', 'Grep', 'Glob']) {
    expect(judge(name, 'docs/a.md')).toBe('deny')
    expect(judge(name, 'docs')).toBe('deny')
    expect(judge(name, 'DOCS/a.md')).toBe('deny')
    expect(judge(name, 'src/a.ts')).toBe('allow')
  }
})

it('judges a pattern of Glob by where it starts', async () => {
  const { folder } = await workspace()
  const live = createPermissions({ rules: { deny: ['Read(docs/**)'] } })
  const judge = (pattern: string) =>
    live.judge({ id: 'call', name: 'Glob', input: { pattern } }, fileTool('Glob'), folder).verdict
  expect(judge('src/**/*.ts')).toBe('allow')
  expect(judge('docs/**/*.md')).toBe('deny')
  expect(judge(`${folder}/docs/*`)).toBe('deny')
})

it('speaks of a name without a slash at any depth where it forbids, and only at the top where it allows', async () => {
  const { folder } = await workspace()
  expect(judging(folder, { rules: { deny: ['Read(.env)'] } })('Read', 'src/deep/.env')).toBe('deny')
  const judge = judging(folder, { rules: { allow: ['Edit(notes.md)'] } })
  expect(judge('Edit', 'notes.md')).toBe('allow')
  expect(judge('Edit', 'src/notes.md')).toBe('ask')
})

it('follows links before it judges, in both directions', async () => {
  const { folder, outside } = await workspace()
  await symlink(join(outside, 'secret'), join(folder, 'src/link'))
  await symlink(outside, join(folder, 'src/up'))
  await symlink('../.env', join(folder, 'src/harmless.txt'))
  await symlink(join(outside, 'not-there-yet'), join(folder, 'src/dangling'))
  await symlink('loop', join(folder, 'src/loop'))
  const judge = judging(folder, { rules: { allow: ['Edit(src/**)'], deny: ['Read(.env)', `Read(${outside}/secret)`] } })
  expect(judge('Write', 'src/link')).toBe('ask')
  expect(judge('Write', 'src/up/new')).toBe('ask')
  expect(judge('Write', 'src/dangling')).toBe('ask')
  expect(judge('Write', 'src/new')).toBe('allow')
  expect(judge('Write', 'src/loop')).toBe('allow')
  expect(judge('Read', 'src/harmless.txt')).toBe('deny')
  expect(judge('Read', 'src/link')).toBe('deny')
  await symlink('src/a.ts', join(folder, '.env.link'))
  expect(judging(folder, { rules: { deny: ['Read(.env.link)'] } })('Read', '.env.link')).toBe('deny')
})

it('takes composed and decomposed letters, and letters that do not show, for the same name', async () => {
  const { folder } = await workspace()
  const judge = judging(folder, { rules: { deny: ['Read(gehälter.txt)'] } })
  expect(judge('Read', 'gehälter.txt'.normalize('NFD'))).toBe('deny')
  expect(judge('Read', 'gehälter.txt'.normalize('NFC'))).toBe('deny')
  expect(judge('Read', 'geh\u200bälter.txt')).toBe('deny')
  const allow = judging(folder, { rules: { allow: ['Edit(gehälter.txt)'] } })
  expect(allow('Edit', 'gehälter.txt'.normalize('NFD'))).toBe('allow')
})

it('asks for what lies outside of the workspace, also when edits are accepted, unless a folder or a rule adds it', async () => {
  const { folder, outside } = await workspace()
  expect(judging(folder, { mode: 'accept-edits' })('Write', 'src/a.ts')).toBe('allow')
  expect(judging(folder, { mode: 'accept-edits' })('Write', '../secret')).toBe('ask')
  expect(judging(folder, { mode: 'accept-edits' })('Write', `${folder}-beside/a`)).toBe('ask')
  expect(judging(folder, { mode: 'accept-edits', workspace: [outside] })('Write', '../secret')).toBe('allow')
  expect(judging(folder, { rules: { allow: [`Edit(${outside}/**)`] } })('Write', '../secret')).toBe('allow')
})

it('asks for sensitive places even when edits are accepted or a broad rule allows them', async () => {
  const { folder } = await workspace()
  const home = homedir()
  const sensitive = [
    '.git/hooks/pre-commit',
    '.git/config',
    '.GIT/config',
    '.g\u200cit/config',
    '.bashrc',
    '.zshrc',
    '.profile',
    '.ssh/config',
  ]
  const rules = [
    '.nacre/settings.json',
    '.nacre/settings.local.json',
    `${home}/.nacre/settings.json`,
    '.mcp.json',
    '.envrc',
  ]
  for (const path of [...sensitive, ...rules, `${home}/.bashrc`, `${home}/.ssh/authorized_keys`]) {
    expect([path, judging(folder, { mode: 'accept-edits' })('Write', path)]).toEqual([path, 'ask'])
    expect([path, judging(folder, { rules: { allow: ['Edit(**)', 'Edit(~/**)'] } })('Edit', path)]).toEqual([
      path,
      'ask',
    ])
  }
  expect(judging(folder, { rules: { allow: ['Edit(.git/config)'] } })('Edit', '.git/config')).toBe('allow')
  expect(judging(folder, { mode: 'accept-edits' })('Write', '.gitignore')).toBe('allow')
})

it('denies writing in plan mode whatever is allowed, and lets reading pass', async () => {
  const { folder } = await workspace()
  const judge = judging(folder, { mode: 'plan', rules: { allow: ['Edit'] } })
  expect(judge('Write', 'src/a.ts')).toBe('deny')
  expect(judge('Read', 'src/a.ts')).toBe('allow')
})

it('lets deny win over allow and ask, whatever is more exact', async () => {
  const { folder } = await workspace()
  const judge = judging(folder, {
    rules: { deny: ['Edit(src/**)'], ask: ['Edit(src/a.ts)'], allow: ['Edit(src/a.ts)'] },
  })
  expect(judge('Edit', 'src/a.ts')).toBe('deny')
  const bypass = judging(folder, { mode: 'bypass', rules: { deny: ['Edit(src/**)'], ask: ['Edit(docs/**)'] } })
  expect([bypass('Edit', 'src/a.ts'), bypass('Edit', 'docs/a'), bypass('Edit', '/etc/passwd')]).toEqual([
    'deny',
    'allow',
    'allow',
  ])
})

it('works in a folder that is reached by a link and has signs of patterns in its name', async () => {
  const outside = await temporaryFolder()
  const folder = join(outside, 'a [b] {c} *')
  await mkdir(join(folder, 'src'), { recursive: true })
  await symlink(folder, join(outside, 'link'))
  for (const cwd of [folder, join(outside, 'link')]) {
    const judge = judging(cwd, { rules: { allow: ['Edit(src/**)'], deny: ['Read(.env)'] } })
    expect(judge('Write', 'src/new.ts')).toBe('allow')
    expect(judge('Write', join(await realpath(cwd), 'src/new.ts'))).toBe('allow')
    expect(judge('Read', '.env')).toBe('deny')
    expect(judge('Write', 'other')).toBe('ask')
  }
})

/** A tool that is slow between the judgement and the writing, and writes where the path leads by then. */
function slowWriter(live: ReturnType<typeof createPermissions>, meanwhile: () => Promise<void>) {
  return defineTool({
    name: 'Write',
    description: 'Writes.',
    input: z.object({ file_path: z.string() }),
    title: () => 'Write',
    async run({ file_path }, { callId, cwd }) {
      await meanwhile()
      const real = await realPath(file_path, cwd)
      live.guard.verify(callId, real)
      await writeFile(real, 'written')
      return 'Written.'
    },
  }) as Tool
}

it.each([
  [
    'a file that becomes a link',
    async (folder: string, outside: string) => {
      await rm(join(folder, 'src/a.ts'))
      await symlink(join(outside, 'secret'), join(folder, 'src/a.ts'))
    },
  ],
  [
    'a folder that becomes a link',
    async (folder: string, outside: string) => {
      await rename(join(folder, 'src'), join(folder, 'old'))
      await writeFile(join(outside, 'a.ts'), 'secret')
      await symlink(outside, join(folder, 'src'))
    },
  ],
])('holds a call to the place it was judged for: %s in between', async (_what, swap) => {
  const { folder, outside } = await workspace()
  const live = createPermissions({ mode: 'accept-edits' })
  const { start, bodies } = await setUp(({ messages }) =>
    messages.length > 1 ? 'Done.' : [{ type: 'tool_use', name: 'Write', input: { file_path: 'src/a.ts' } }],
  )
  const tool = slowWriter(live, () => swap(folder, outside))
  const session = await start({ tools: [tool], cwd: folder, plugins: [permissions(live)] })
  await eventsOf(session.query('Write.'))
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret')
  expect(bodies.at(-1)).toContain('but the call was judged for')
})

it('lets a call write where it was judged for, and forgets it when it has ended', async () => {
  const { folder, outside } = await workspace()
  const live = createPermissions({ mode: 'accept-edits' })
  const { start } = await setUp(({ messages }) =>
    messages.length > 1
      ? 'Done.'
      : [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: { file_path: 'src/new.ts' } }],
  )
  const session = await start({
    tools: [slowWriter(live, async () => undefined)],
    cwd: folder,
    plugins: [permissions(live)],
  })
  await eventsOf(session.query('Write.'))
  expect(await readFile(join(folder, 'src/new.ts'), 'utf8')).toBe('written')
  expect(() => live.guard.verify('toolu_1', join(outside, 'secret'))).not.toThrow()
})

it('holds a search to the folder it was judged for and what is below', async () => {
  const { folder, outside } = await workspace()
  const live = createPermissions()
  live.judge({ id: 'call', name: 'Grep', input: { path: 'src' } }, fileTool('Grep'), folder)
  expect(() => live.guard.verify('call', join(folder, 'src/a.ts'))).not.toThrow()
  expect(() => live.guard.verify('call', join(outside, 'secret'))).toThrow('judged for')
  expect(() => live.guard.verify('another call', join(outside, 'secret'))).not.toThrow()
})
