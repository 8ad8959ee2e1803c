import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { build } from './support/build.js'
import { hello, textOf } from './support/conversation.js'

let folder = ''

beforeAll(async () => {
  folder = await build()
})

interface Run {
  readonly child: ChildProcess
  output(): string
  errors(): string
  /** Resolves with the exit code once all output has come. */
  readonly ended: Promise<number | null>
}

function run(...args: readonly string[]): Run {
  const child = spawn(process.execPath, [join(folder, 'cli.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => output, errors: () => errors, ended }
}

/** Waits for the line that names the address. */
async function address(started: Run): Promise<string> {
  for (;;) {
    const [, url] = /^Listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(started.output()) ?? []
    if (url) return url
    const code = await Promise.race([started.child.stdout && once(started.child.stdout, 'data'), started.ended])
    if (typeof code === 'number') throw new Error(`It ended with ${code}: ${started.errors()}`)
  }
}

describe('the command line', () => {
  it('shows its options', async () => {
    const help = run('--help')
    expect(await help.ended).toBe(0)
    for (const option of ['--port', '--model', '--ledger', '--pace', '--lenient-thinking', '--cache-edits']) {
      expect(help.output()).toContain(option)
    }
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s, and then tells the totals', async (signal) => {
    const started = run('--port', '0')
    const client = new Anthropic({ apiKey: 'any', baseURL: await address(started), maxRetries: 0 })
    expect(textOf(await client.messages.create(hello))).toContain('I am the offline model')
    started.child.kill(signal)
    expect(await started.ended).toBe(0)
    expect(started.output()).toMatch(/\n1 requests, \$0\.\d{4}, 0\.0% of input read from the cache\n$/)
    expect(started.errors()).toBe('')
  })

  it('plays a recorded session, and writes a ledger', async () => {
    const place = await mkdtemp(join(tmpdir(), 'simulator-cli-'))
    onTestFinished(() => rm(place, { recursive: true }))
    const session = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Good day.' },
    ]
    await writeFile(join(place, 'session.jsonl'), session.map((line) => JSON.stringify(line)).join('\n'))
    const started = run('--model', join(place, 'session.jsonl'), '--ledger', join(place, 'ledger.jsonl'))
    const client = new Anthropic({ apiKey: 'any', baseURL: await address(started), maxRetries: 0 })
    expect(textOf(await client.messages.create(hello))).toBe('Good day.')
    started.child.kill('SIGINT')
    expect(await started.ended).toBe(0)
    const ledger = await readFile(join(place, 'ledger.jsonl'), 'utf8')
    expect(JSON.parse(ledger)).toMatchObject({ status: 200, model: 'claude-opus-5-5' })
  })

  it.each([
    [['--nonsense'], /unknown option '--nonsense'/],
    [['--port', 'many'], /--port.*Give a whole number/],
    [['--port', '70000'], /nacre-simulator: .*port/i],
    [['--model', 'no/such/session.jsonl'], /nacre-simulator: .*no\/such\/session\.jsonl/],
  ] as const)('refuses %j with a clear error', async (args, message) => {
    const refused = run(...args)
    expect(await refused.ended).toBe(1)
    expect(refused.errors()).toMatch(message)
    expect(refused.errors()).not.toMatch(/^\s+at /m)
    expect(refused.output()).toBe('')
  })

  it('says so when the port is taken', async () => {
    const first = run()
    const port = new URL(await address(first)).port
    const second = run('--port', port)
    expect(await second.ended).toBe(1)
    expect(second.errors()).toMatch(/nacre-simulator: .*EADDRINUSE/)
  })
})
