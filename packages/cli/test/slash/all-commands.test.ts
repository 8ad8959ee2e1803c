import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { ALL_SLASH_COMMANDS, completeSlashCommand, findSlashCommand } from '../../src/slash/slash-commands.js'
import { makeFolders } from './support/make-folders.js'
import { openForTest } from './support/open-for-test.js'

const TYPED = [
  ...ALL_SLASH_COMMANDS.filter(({ name }) => name !== 'exit' && name !== 'clear').map(({ name }) => `/${name}`),
  '/compact dry',
  '/memory session',
  '/help flags',
  '/nothing',
  '/snip list',
]
const PROMPT = 'Read 3 files, 漢字かな混じり文 👩‍👩‍👧 and a_name_that_is_longer_than_any_narrow_terminal, please.'

describe('every command', () => {
  it('keeps to the width of the terminal, and to plain text where there are no colours', async () => {
    const { ask, run } = await openForTest(makeFolders())
    await ask(PROMPT)
    for (const typed of TYPED) {
      for (const width of [20, 80, 200]) {
        for (const hasColour of [false, true]) {
          const { text } = await run(typed, { width, hasColour })
          expect(text, typed).not.toBe('')
          if (!hasColour) expect(text, typed).toBe(stripVTControlCharacters(text))
          const widest = Math.max(...text.split('\n').map((line) => stringWidth(line)))
          expect(widest, `${typed} at ${width}:\n${text}`).toBeLessThanOrEqual(width)
        }
      }
    }
  })

  it('has something to say of a session that has just been opened', async () => {
    const { run } = await openForTest(makeFolders())
    for (const typed of TYPED) {
      const { text } = await run(typed, { width: 40 })
      expect(text, typed).toMatch(/\w/)
      expect(text, typed).not.toMatch(/NaN|undefined|Infinity/)
    }
  })

  it('says the same with colours as without', async () => {
    const { ask, run } = await openForTest(makeFolders())
    await ask(PROMPT)
    for (const typed of ['/cost', '/cache', '/plugins', '/flags', '/hooks', '/log', '/help', '/doctor']) {
      const coloured = (await run(typed, { hasColour: true })).text
      expect(stripVTControlCharacters(coloured), typed).toBe((await run(typed)).text)
      expect(coloured === (await run(typed)).text, typed).toBe(typed === '/cache' && !coloured.includes('\u001b'))
    }
  })

  it('has help of one line and an example that begins with its name', () => {
    for (const { name, help, example } of ALL_SLASH_COMMANDS) {
      expect(help).not.toContain('\n')
      expect(help.length).toBeGreaterThan(20)
      expect(example.split(' ')[0]).toBe(`/${name}`)
    }
    const names = ALL_SLASH_COMMANDS.map(({ name }) => name)
    const wanted = [
      'compact',
      'undo',
      'context',
      'cost',
      'cache',
      'receipt',
      'log',
      'memory',
      'tasks',
      'flags',
      'hooks',
    ]
    const others = ['plugins', 'resume', 'rewind', 'clear', 'model', 'plan', 'skills', 'mcp', 'doctor', 'help']
    expect(names).toEqual(expect.arrayContaining([...wanted, ...others]))
    expect(names).toEqual([...new Set(names)].sort())
  })

  it('is explained by /help with an example, those of plugins too', async () => {
    const { run, opened } = await openForTest(makeFolders())
    const ofPlugins = opened.session.commands().map(({ name }) => name.split(' ')[0] ?? '')
    for (const name of new Set([...ALL_SLASH_COMMANDS.map((command) => command.name), ...ofPlugins])) {
      expect((await run(`/help ${name}`)).text, name).toContain(`For example: /${name}`)
    }
  })

  it('that takes no arguments says so, with its example, and does nothing', async () => {
    const { run, opened } = await openForTest(makeFolders())
    const { version } = opened.session.view()
    for (const name of ['cache', 'clear', 'context', 'cost', 'doctor', 'hooks', 'plugins', 'skills']) {
      expect(await run(`/${name} nonsense`)).toMatchObject({ isError: true, text: expect.stringContaining(`/${name}`) })
    }
    expect(opened.session.view().version).toBe(version)
  })
})

describe('a name', () => {
  it('is found with and without its slash, in any case', () => {
    expect(findSlashCommand('/Context').command?.name).toBe('context')
    expect(findSlashCommand('undo').command?.name).toBe('undo')
  })

  it('that nobody has is answered with the ones that are near', () => {
    expect(findSlashCommand('cotnext')).toEqual({ near: ['context'] })
    expect(findSlashCommand('comp')).toEqual({ near: ['compact'] })
    expect(findSlashCommand('re').command).toBeUndefined()
    expect(findSlashCommand('re')).toMatchObject({ near: ['receipt', 'resume', 'rewind'] })
    expect(findSlashCommand('foo')).toEqual({ near: [] })
    expect(findSlashCommand('snp', ['snip'])).toEqual({ near: ['snip'] })
  })
})

describe('completion', () => {
  it('offers names, those of plugins too, and then what may follow', async () => {
    const { context } = await openForTest(makeFolders())
    const lines = (typed: string) => completeSlashCommand(typed, context).map(({ line }) => line)
    expect(lines('/co')).toEqual(['/compact', '/context', '/cost'])
    expect(lines('/sn')).toEqual(['/snip'])
    expect(lines('/compact d')).toEqual(['/compact dry'])
    expect(lines('/memory ')).toEqual(['/memory session'])
    expect(lines('/flags compact.cl')).toEqual(['/flags compact.clear'])
    expect(lines('/flags compact.clear o')).toEqual(['/flags compact.clear on', '/flags compact.clear off'])
    expect(lines('/model claude-o')).toEqual(['/model claude-opus-5-5'])
    expect(lines('/cost x')).toEqual([])
  })
})
