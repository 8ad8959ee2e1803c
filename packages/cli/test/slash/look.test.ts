import { definePlugin } from '@nacre/core'
import { describe, expect, it, vi } from 'vitest'
import { makeFolders } from './support/make-folders.js'
import { openForTest } from './support/open-for-test.js'

const failing = definePlugin({
  name: 'failing',
  flags: { part: true },
  setup: () => ({
    hooks: {
      PostModelCall: {
        order: 'post',
        handler: () => {
          throw new Error('out of order')
        },
      },
    },
    commands: [
      { name: 'greet', help: 'Greets.\nAt length.', run: (args) => `\u001b[31mGood day\u001b[0m, ${args || 'you'}.` },
      { name: 'greet all', help: 'Greets everyone.', run: () => 'Good day, everyone.' },
      {
        name: 'sulk',
        help: 'Fails.',
        run: () => {
          throw new Error('not today')
        },
      },
    ],
  }),
})

describe('/log', () => {
  it('shows the last messages, edits with their price, and notices', async () => {
    const { ask, run } = await openForTest(makeFolders())
    await ask('Read 2 files, please.')
    await run('/compact')
    const { text } = await run('/log', { width: 120 })
    expect(text).toMatch(/^\d\d:\d\d:\d\d \S{8} you: Read 2 files, please\.$/m)
    expect(text).toMatch(/model: Next\. \[calls Read \{"file_path":"part-1\.ts"\}\]/)
    expect(text).toMatch(/edit by (compact|session-memory): /)
    expect(text).toMatch(/info from compact: Compacted by hand/)
    expect(text).toMatch(/^\S+ \S+ result: .*value0 = compute\(1, 0\)/m)
    expect(text).not.toMatch(/you: .*compute/)
    expect((await run('/log 2')).text.split('\n')).toHaveLength(2)
    expect(await run('/log two')).toMatchObject({ isError: true, text: expect.stringContaining('/log 50') })
  })
})

describe('/memory', () => {
  it('shows the notes of the session through the plugin that keeps them', async () => {
    const { ask, run } = await openForTest(makeFolders())
    await ask('Read 8 files, please.')
    expect((await run('/memory')).text).toContain('/memory session')
    // They are written beside the conversation.
    await vi.waitFor(async () => expect((await run('/memory session')).text).toContain('Covers up to turn'), 20_000)
    expect(await run('/memory long')).toMatchObject({ isError: true, text: expect.stringContaining('/memory session') })
    await run('/flags session-memory off')
    expect(await run('/memory session')).toMatchObject({ isError: true })
  })
})

describe('/hooks', () => {
  it('shows who listens to what, in order, and who is off', async () => {
    const { run } = await openForTest(makeFolders(), { plugins: [failing] })
    await run('/flags failing off')
    const { text } = await run('/hooks', { width: 200 })
    expect(text).toMatch(/^PostModelCall +tool-result-storage, session-memory, compact, failing \(post, off\)$/m)
  })
})

describe('/plugins', () => {
  it('shows what each plugin brings, how long its set-up took, what failed in it, and which are off', async () => {
    let pass: (milliseconds: number) => void = () => undefined
    const slow = definePlugin({
      name: 'slow',
      setup() {
        pass(12)
        return {}
      },
    })
    const folders = makeFolders()
    const { ask, run } = await openForTest(folders, {
      plugins: [failing, slow],
      flags: { web: false },
      passing: (given) => {
        pass = given
      },
    })
    await ask('Read 1 files, please.')
    const { text } = await run('/plugins', { width: 200 })
    expect(text).toMatch(/^files, 0 ms\n├ tools {5}Read, Write, Edit, MultiEdit, NotebookEdit$/m)
    expect(text).toMatch(/^slow, 12 ms$/m)
    expect(text).toMatch(/^web, off \(options\)$/m)
    const [, own = ''] = /^failing, 0 ms\n((?:[├└│].*\n)+)/m.exec(text) ?? []
    expect(own).toContain('├ commands  /greet, /greet all, /sulk')
    expect(own.match(/error/g)).toHaveLength(1)
    expect(own).toMatch(/error {5}.*failing.*out of order \(2 times\)/)
  })
})

describe('commands of plugins', () => {
  it('are listed in the help and run, the longest name first, without what a terminal would obey', async () => {
    const { run } = await openForTest(makeFolders(), { plugins: [failing] })
    expect((await run('/help', { width: 120 })).text).toMatch(/^\/greet {10}Greets\. \(failing\)$/m)
    expect((await run('/help greet')).text).toBe(
      '/greet, of the plugin failing\nGreets.\nAt length.\nFor example: /greet',
    )
    expect(await run('/greet Ada')).toEqual({ text: 'Good day, Ada.' })
    expect(await run('/greet all')).toEqual({ text: 'Good day, everyone.' })
    expect(await run('/gret')).toMatchObject({ isError: true, text: expect.stringContaining('/greet') })
  })

  it('that fail name the plugin, also those that the program has a name for', async () => {
    const lost = definePlugin({
      name: 'skills',
      setup: () => ({
        commands: [
          {
            name: 'skills',
            help: 'Lists skills.',
            run: () => {
              throw new Error('the shelf is empty')
            },
          },
        ],
      }),
    })
    const { run } = await openForTest(makeFolders(), { plugins: [failing] })
    expect(await run('/sulk', { width: 200 })).toEqual({
      isError: true,
      text: "/sulk of the plugin 'failing' failed: not today",
    })
    const other = await openForTest(makeFolders(), { plugins: [lost], without: ['skills'] })
    expect(await other.run('/skills', { width: 200 })).toEqual({
      isError: true,
      text: "/skills of the plugin 'skills' failed: the shelf is empty",
    })
  })

  it('of the standard set are answered by their plugin, or it is said which one is missing', async () => {
    const { run, opened } = await openForTest(makeFolders(), { flags: { skills: false } })
    expect((await run('/plan on')).text).toBe('Plan mode is on.')
    expect(await run('/plan maybe')).toMatchObject({ isError: true, text: expect.stringContaining('/plan on') })
    expect((await run('/mcp')).text).toBe('No MCP servers.')
    expect((await run('/tasks')).text).toBe('Nothing was started in the background.')
    expect(await run('/tasks end')).toMatchObject({
      isError: true,
      text: expect.stringContaining('/tasks stop bash_1'),
    })
    expect((await run('/permissions allow Bash(npm test)')).text).toContain('Added')
    expect(opened.permissions.rules()).toHaveLength(1)
    expect((await run('/permissions')).text).toContain('Bash(npm test)')
    expect(await run('/skills')).toMatchObject({ isError: true, text: expect.stringContaining('/flags skills on') })
  })
})

describe('/resume', () => {
  it('lists the other sessions of the project and opens the one that is meant', async () => {
    const folders = makeFolders()
    const login = await openForTest(folders)
    expect((await login.run('/resume')).text).toContain('no other sessions')
    await login.ask('Fix the login bug.')
    await login.opened.close()
    const tests = await openForTest(folders)
    await tests.ask('Write tests for the login.')
    await tests.opened.close()
    const { run } = await openForTest(folders)
    const { text } = await run('/resume')
    expect(text).toContain('Fix the login bug.')
    expect(text).toContain('Write tests')
    const open = { next: { open: { resume: login.opened.session.id } } }
    expect(await run('/resume BUG login')).toMatchObject(open)
    expect(await run(`/resume ${login.opened.session.id}`)).toMatchObject(open)
    const both = await run('/resume login')
    expect(both.next).toBeUndefined()
    expect(both.text).toContain('Fix the login bug.')
    // A number that is not in the list is no beginning of an id, whatever the ids are.
    for (const typed of '3456789') expect((await run(`/resume ${typed}`)).next).toBeUndefined()
    expect(await run(`/resume ${login.opened.session.id.slice(0, 8)}`)).toMatchObject(open)
    expect(await run('/resume paint')).toMatchObject({ isError: true, text: expect.stringContaining('/resume login') })
  })
})

describe('/help, /doctor and /exit', () => {
  it('help, check and end', async () => {
    const { run, opened } = await openForTest(makeFolders())
    expect((await run('/help undo')).text).toContain('For example: /undo 3f2a91c0')
    expect(await run('/help unod')).toMatchObject({ isError: true, text: expect.stringContaining('/undo') })
    expect((await run('/doctor')).text).toMatch(/^ok {2}key: .*\nfailed {2}folder: [\s\S]*\n {2}Make it writable\.$/)
    const missing = { name: 'key', status: 'warning', detail: 'not set', remedy: 'Set one.' } as const
    const controls = { ...opened.controls, diagnose: async () => [missing] }
    const inSession = async (isOffline: boolean) =>
      (await run('/doctor', { opened: { ...opened, controls, isOffline } })).text
    expect(await inSession(false)).toBe('warning  key: not set\n  Set one.')
    expect(await inSession(true)).toBe('ok  key: none, and none is needed offline')
    expect((await run('/exit')).next).toEqual({ exit: true })
  })
})
