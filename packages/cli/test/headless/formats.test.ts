import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scripted } from '@nacre/simulator'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { type Line, lineSchema, outputJsonSchema, type Result } from '../../src/headless/output-schema.js'
import { freshPlace, program } from '../support/program.js'
import { stage } from './support.js'

const validate = new Ajv({ strict: false }).compile(outputJsonSchema())

function lines(stdout: string): Line[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const value = JSON.parse(line)
      expect(validate(value), `${line}: ${JSON.stringify(validate.errors)}`).toBe(true)
      // What the schema does not know is taken out: there must be nothing that is printed and not described.
      expect(lineSchema.parse(value)).toEqual(value)
      return value as Line
    })
}

function one(stdout: string): Result {
  const [line, ...more] = lines(stdout)
  expect(more).toEqual([])
  expect(line?.type).toBe('result')
  return line as Result
}

const bash = (command: string) => [{ type: 'tool_use' as const, name: 'Bash', input: { command } }]

describe('text output', () => {
  it('prints the answer and nothing else', async () => {
    const { place } = await stage(scripted(['It is a\nshop.']))
    expect(await program.run(['-p', 'What is this?'], place)).toEqual({
      code: 0,
      stdout: 'It is a\nshop.\n',
      stderr: '',
    })
  })

  it('sets the answers of several turns apart', async () => {
    const { place } = await stage(scripted([['I look.', ...bash('true')], 'Done.']))
    const { stdout } = await program.run(['-p', 'Look'], place)
    expect(stdout).toBe('I look.\n\nDone.\n')
  })

  it('hands on no escape codes, whoever they come from', async () => {
    const { place } = await stage(scripted(['\u001b[31mred\u001b[0m \u009b1mbold\tcolumn']))
    const { stdout } = await program.run(['-p', 'Colours?'], { ...place, env: { ...place.env, FORCE_COLOR: '1' } })
    expect(stdout).toBe('[31mred[0m 1mbold\tcolumn\n')
  })

  it('says an answer that is asked for again only once', async () => {
    const { place, simulator } = await stage(scripted([`First words. ${'More words. '.repeat(40)}`]))
    simulator.faults.add({ kind: 'cut', times: 1, amount: 8 })
    const { stdout, stderr } = await program.run(['-p', 'Hi'], place)
    expect(stdout).toBe(`First words. ${'More words. '.repeat(40)}\n`)
    expect(stderr).toMatch(/^nacre: Trying again \(1\): .+\n$/)
  })
})

describe('json output', () => {
  it('is one object that fits the schema, with the bill of the server', async () => {
    const { place, simulator } = await stage(scripted([['I look.', ...bash('pwd')], 'Done.']))
    const { code, stdout, stderr } = await program.run(['-p', 'Look', '--output-format', 'json'], place)
    const result = one(stdout)
    const { input, output, read, write5m, write1h, dollars, requests } = simulator.ledger.totals()
    expect(result).toMatchObject({
      version: 1,
      end: 'done',
      result: 'Done.',
      turns: 2,
      error: null,
      exitCode: 0,
      denials: [],
    })
    expect(result.usage).toMatchObject({
      input,
      output,
      cacheRead: read,
      cacheWrite5m: write5m,
      cacheWrite1h: write1h,
      requests,
    })
    expect(result.usage.dollars).toBeCloseTo(dollars, 10)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('names the session, which goes on under that name, and counts only what is new', async () => {
    const { place } = await stage(scripted(['One.', 'Two.']))
    const first = one((await program.run(['-p', 'Hi', '--output-format', 'json'], place)).stdout)
    const again = ['-p', 'And?', '--resume', String(first.session), '--output-format', 'json']
    const second = one((await program.run(again, place)).stdout)
    expect(second).toMatchObject({ session: first.session, result: 'Two.', usage: { requests: 1 } })
    expect(second.sessionDollars).toBeCloseTo(first.usage.dollars + second.usage.dollars, 10)
  })

  it('is an object also where no model can be reached', async () => {
    const { place } = await stage(scripted([]))
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...env } = place.env
    const { code, stdout } = await program.run(['-p', 'Hi', '--output-format', 'json'], { ...place, env })
    expect(one(stdout)).toMatchObject({ session: null, end: 'error', error: { code: 'AUTH' }, exitCode: 5 })
    expect(code).toBe(5)
  })
})

describe('a failure', () => {
  const blocking = { hooks: { UserPromptSubmit: [{ command: 'echo "not today" >&2; exit 2' }] } }
  const call = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'true' } }]

  it('fits the schema whatever it is, in both formats, with the exit code of the process', async () => {
    const { place, simulator } = await stage(scripted(() => call))
    await writeFile(join(place.cwd, 'blocking.json'), JSON.stringify(blocking))
    await writeFile(join(place.cwd, 'plugin.json'), JSON.stringify({ plugins: ['nowhere'] }))
    simulator.faults.add({ kind: 'spend-cap', times: 1 })
    const cases: readonly (readonly [args: readonly string[], code: number, end: string, error: object | null])[] = [
      [[], 1, 'error', { code: expect.any(String) }],
      [['--flags', 'nothing=on'], 2, 'error', { code: 'UNKNOWN_FLAG' }],
      [['--resume', 'nothing'], 2, 'error', { code: 'SESSION_NOT_FOUND' }],
      [['--model', 'opus-5.5'], 2, 'error', { code: 'UNKNOWN_MODEL' }],
      [['--settings', 'plugin.json'], 2, 'error', { code: 'MISSING_PLUGIN', plugin: 'nowhere' }],
      [['--max-turns', '1'], 3, 'max-turns', null],
      [['--settings', 'blocking.json'], 4, 'blocked', { message: expect.stringContaining('not today') }],
    ]
    for (const [index, [args, exitCode, end, error]] of cases.entries()) {
      const format = index % 2 === 0 ? 'json' : 'stream-json'
      const { code, stdout } = await program.run(['-p', 'Hi', '--output-format', format, ...args], place)
      const result = lines(stdout).find(({ type }) => type === 'result')
      expect({ args, code, result }).toMatchObject({ args, code: exitCode, result: { end, exitCode, error } })
    }
  })
})

describe('an answer that is cut at the output limit for ever', () => {
  it('ends with that reason and the exit code of a limit, in words too', async () => {
    const { place } = await stage(scripted(() => ({ content: ['Part. '], stop: 'max_tokens' as const })))
    const { code, stdout } = await program.run(['-p', 'Hi', '--output-format', 'json'], place)
    expect([code, lines(stdout)[0]]).toMatchObject([3, { type: 'result', end: 'max-tokens', exitCode: 3, error: null }])
    const { stderr } = await program.run(['-p', 'Hi'], place)
    expect(stderr).toContain('cut at the output limit')
  })
})

describe('stream-json output', () => {
  it('fits the schema through compactions, with a receipt for each', async () => {
    const place = await freshPlace({ NACRE_CONTEXT_WINDOW: '30000' })
    const content = `List the files. ${'And some words. '.repeat(700)}`
    const stdin = Array.from({ length: 10 }, () => JSON.stringify({ type: 'user', content })).join('\n')
    const args = ['--offline', '-p', '--input-format', 'stream-json', '--output-format', 'stream-json']
    const { code, stdout } = await program.run(args, place, stdin)
    const types = new Set(lines(stdout).map(({ type }) => type))
    for (const type of ['edit', 'receipt', 'relief', 'notice'] as const) expect(types).toContain(type)
    expect(code).toBe(0)
  })

  it('is a line for each event, from the start to the end', async () => {
    const { place } = await stage(scripted([['I look.', ...bash('pwd')], 'Done.']))
    const { stdout } = await program.run(['-p', 'Look', '--output-format', 'stream-json'], place)
    const all = lines(stdout)
    const types = all.map(({ type }) => type)
    expect(types[0]).toBe('start')
    expect(types.slice(-2)).toEqual(['result', 'end'])
    for (const type of ['turn-start', 'delta', 'response', 'tool-start', 'tool-end', 'usage'])
      expect(types).toContain(type)
    expect(all.find(({ type }) => type === 'tool-end')).toMatchObject({
      content: [{ text: expect.stringContaining(place.cwd) }],
    })
  })

  it('has one end for each call, and says who was against one that did not run', async () => {
    const input = { command: 'npm run build', access: 'write' }
    const build = { type: 'tool_use' as const, name: 'Bash', input }
    const { place } = await stage(scripted([[...bash('pwd'), build], 'Done.']))
    const { stdout } = await program.run(['-p', 'Build', '--output-format', 'stream-json'], place)
    const all = lines(stdout)
    const calls = all.flatMap((line) => (line.type === 'response' ? line.content : [])).flatMap(({ id }) => id ?? [])
    const ends = all.filter((line) => line.type === 'tool-end')
    expect(ends.map(({ call }) => call)).toEqual(calls)
    expect(all.filter(({ type }) => type === 'tool-start')).toHaveLength(1)
    const denied = { by: 'nobody', reason: expect.stringContaining('Permission was not given') }
    expect(ends.map((line) => line.denied)).toEqual([undefined, denied])
    const result = all.find((line) => line.type === 'result')
    expect(result?.denials).toMatchObject([{ tool: 'Bash', input, ...denied }])
  })

  it('answers every message that comes in, in one session', async () => {
    const { place, exchanges } = await stage(scripted(['One.', 'Two.']))
    const messages = [
      { type: 'user', content: 'First' },
      { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Second' }] } },
    ]
    const stdin = messages.map((message) => JSON.stringify(message)).join('\n')
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json']
    const { code, stdout } = await program.run(args, place, stdin)
    const all = lines(stdout)
    const results = all.filter((line) => line.type === 'result')
    expect(results.map(({ result }) => result)).toEqual(['One.', 'Two.'])
    expect(all.at(-1)).toMatchObject({ type: 'end', queries: 2, usage: { requests: 2 }, exitCode: 0 })
    expect(exchanges.at(-1)?.body).toContain('First')
    expect(code).toBe(0)
  })

  it.each([
    '{"type":"usr"}',
    '{"type":"user","content":[{"type":"text"}]}',
    '{"type":"user","content":[{"type":"image","source":"a.png"}]}',
    '{"type":"user","content":[{"type":"tool_result","content":"x"}]}',
  ])('names the line that is no message, after the answers before it: %s', async (wrong) => {
    const { place } = await stage(scripted(['One.']))
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json']
    const { code, stdout, stderr } = await program.run(args, place, `{"type":"user","content":"First"}\n\n${wrong}\n`)
    expect(stderr).toContain('stdin, line 3: expected {"type":"user"')
    expect(lines(stdout).at(-1)).toMatchObject({ type: 'end', queries: 1, exitCode: 2 })
    expect(code).toBe(2)
  })
})
