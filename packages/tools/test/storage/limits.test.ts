import type { Tool } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { type ToolResultStorageOptions, toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { resultsOf } from './support/request-parts.js'

const text = 'a line of it\n'.repeat(1_600)
const isStored = (result: string) => result.startsWith('<persisted-output>')

async function start(tools: readonly Tool[], options?: ToolResultStorageOptions, flags = {}, input: object = {}) {
  const calls = tools.map(({ name }) => callOf(input, name))
  const setup = await setUp(scripted([calls, 'one', calls, 'two', calls, 'three']))
  const session = await setup.start({ tools, plugins: [toolResultStorage(options)], flags })
  const stored = async () => {
    await eventsOf(session.query('Go.'))
    return resultsOf(setup.bodies.at(-1)).slice(-tools.length).map(isStored)
  }
  return { ...setup, session, stored }
}

describe('the limit of a result', { timeout: 30_000 }, () => {
  it('is 50,000 characters', async () => {
    const exact = givingTool(() => 'x'.repeat(50_000), { name: 'exact' })
    const more = givingTool(() => 'x'.repeat(50_001), { name: 'more' })
    const { stored } = await start([exact, more])
    expect(await stored()).toEqual([false, true])
  })

  it("is the tool's own where it has one", async () => {
    const small = givingTool(() => text, { name: 'small', maxResultChars: 20_000 })
    const large = givingTool(() => text.repeat(4), { name: 'large', maxResultChars: 100_000 })
    const { stored } = await start([small, large])
    expect(await stored()).toEqual([true, false])
  })

  it('is given by the name of a tool, above its own', async () => {
    const tools = [
      givingTool(() => text, { name: 'one', maxResultChars: 1_000 }),
      givingTool(() => text, { name: 'two' }),
    ]
    const { stored } = await start(tools, { limits: { tools: { one: 30_000, two: 10_000 } } })
    expect(await stored()).toEqual([false, true])
  })

  it('is 100,000 tokens whatever a tool allows', async () => {
    const digits = givingTool(() => '1234567890\n'.repeat(12_000), { maxResultChars: 1_000_000 })
    const { stored } = await start([digits])
    expect(await stored()).toEqual([true])
  })

  it('never holds for a tool that reads files', async () => {
    const reading = givingTool(() => text.repeat(20), { name: 'open_file', maxResultChars: Number.POSITIVE_INFINITY })
    const { stored } = await start([reading], { limits: { tools: { open_file: 10 }, message: 10 } })
    expect(await stored()).toEqual([false])
  })

  it('never holds for a Read that was asked for in full, whoever made the tool', async () => {
    const reading = givingTool(() => text.repeat(5), { name: 'Read', maxResultChars: 1_000 })
    const whole = await start([reading], {}, {}, { file_path: '/a' })
    expect(await whole.stored()).toEqual([false])
    const part = await start([reading], {}, {}, { file_path: '/a', offset: 1, limit: 5_000 })
    expect(await part.stored()).toEqual([true])
  })

  it('changes at run time by a function', async () => {
    let result = 50_000
    const { stored } = await start([givingTool(() => text)], { limits: () => ({ result }) })
    expect(await stored()).toEqual([false])
    result = 10_000
    expect(await stored()).toEqual([true])
  })

  it('changes at run time by a command, for as long as the session lives', async () => {
    const { stored, session } = await start([givingTool(() => text)])
    expect(await stored()).toEqual([false])
    expect(await session.command('result-limits', 'tools.give 10000')).toContain('tools.give 10000')
    expect(await stored()).toEqual([true])
    const fork = await session.fork()
    expect(await fork.command('result-limits')).toContain('tools.give 10000')
    await fork.close()
    await session.command('result-limits', 'tools.give default')
    expect(await stored()).toEqual([false])
  })

  it('is not made longer than the result by its own words', async () => {
    const { stored } = await start([givingTool(() => 'short\n'.repeat(60))], { limits: { result: 100 } })
    expect(await stored()).toEqual([false])
  })
})

describe('a preview without a limit', { timeout: 30_000 }, () => {
  it.each([Number.POSITIVE_INFINITY, 1e12])('loses nothing: %d', async (preview) => {
    const { stored } = await start([givingTool(() => text.repeat(5))], { limits: { preview } })
    expect(await stored()).toEqual([true])
  })
})

describe('a limit that makes no sense', { timeout: 30_000 }, () => {
  it.each([{ result: -1 }, { results: 5 }, { tools: { Bash: Number.NaN } }])('is refused: %o', (limits) => {
    expect(() => toolResultStorage({ limits: limits as never })).toThrow(/tool-result-storage/)
  })

  it.each(['nothing 5', 'result', 'result many', 'result 5 6', 'tools 5', `result ${'9'.repeat(400)}`])(
    'is explained: %s',
    async (args) => {
      const { session } = await start([])
      expect(await session.command('result-limits', args)).toContain('is no limit. Known: result, message, prompt')
    },
  )
})

describe('flags', { timeout: 30_000 }, () => {
  it.each(['tool-result-storage', 'tool-result-storage.results'])('%s leaves each result whole', async (flag) => {
    const { stored } = await start([givingTool(() => text.repeat(5))], {}, { [flag]: false })
    expect(await stored()).toEqual([false])
  })

  it('tool-result-storage.messages leaves messages as long as they are', async () => {
    const tools = ['a', 'b', 'c'].map((name) => givingTool(() => text, { name }))
    const off = await start(tools, { limits: { message: 30_000 } }, { 'tool-result-storage.messages': false })
    expect(await off.stored()).toEqual([false, false, false])
    const on = await start(tools, { limits: { message: 30_000 } })
    expect(await on.stored()).toEqual([false, true, true])
  })
})
