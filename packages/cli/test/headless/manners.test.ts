import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { scripted, startSimulator } from '@nacre/simulator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Result } from '../../src/headless/output-schema.js'
import { ended, freshPlace, program } from '../support/program.js'
import { stage } from './support.js'

const bash = (command: string, access = 'read') => [
  { type: 'tool_use' as const, name: 'Bash', input: { command, access } },
]
const json = (text: string) => JSON.parse(text) as Result

describe('stdin', () => {
  it('is context beside a prompt', async () => {
    const { place, exchanges } = await stage(scripted(['Fine.']))
    await program.run(['-p', 'Review this'], place, 'diff --git a b\n')
    const { messages } = JSON.parse(exchanges[0]?.body ?? '')
    const texts = messages[0].content.map(({ text }: { readonly text: string }) => text)
    expect(texts).toEqual(expect.arrayContaining(['<stdin>\ndiff --git a b\n</stdin>', 'Review this']))
  })

  it('is the prompt where there is no other', async () => {
    const { place, exchanges } = await stage(scripted(['Fine.']))
    expect(await program.run(['-p'], place, 'What is this?\n')).toMatchObject({ code: 0, stdout: 'Fine.\n' })
    expect(exchanges[0]?.body).toContain('What is this?')
  })

  it.each([
    ['has to say something', ' \n', 'There is no prompt'],
    ['has to be text', Buffer.from([0xff, 0xfe, 0x00]), 'no UTF-8 text'],
  ])('%s', async (_name, stdin, message) => {
    const { place } = await stage(scripted([]))
    const child = program.start(['-p'], place)
    child.stdin?.end(stdin)
    const { code, stderr } = await ended(child)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

describe('permissions', () => {
  it('are not given where nobody is there, with a line on how to allow it', async () => {
    const { place } = await stage(scripted([bash('npm run build', 'write'), 'I could not.']))
    const { code, stdout, stderr } = await program.run(['-p', 'Build', '--output-format', 'json'], place)
    const rule = 'Bash(npm run build:*)'
    expect(stderr).toContain(`--allowed-tools '${rule}'`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(json(stdout).denials).toMatchObject([{ tool: 'Bash', input: { command: 'npm run build' }, rule }])
    expect(code).toBe(0)
  })

  it('are given by --allowed-tools', async () => {
    const { place } = await stage(scripted([bash('touch made.txt'), 'Done.']))
    const args = ['-p', 'Make it', '--allowed-tools', 'Bash(touch:*)', '--output-format', 'json']
    const { stdout, stderr } = await program.run(args, place)
    expect(json(stdout).denials).toEqual([])
    expect(stderr).toBe('')
    expect(await readdir(place.cwd)).toContain('made.txt')
  })

  it('are taken by --disallowed-tools', async () => {
    const { place } = await stage(scripted([bash('ls'), 'I could not.']))
    const { stdout } = await program.run(['-p', 'Look', '--disallowed-tools', 'Bash', '--output-format', 'json'], place)
    expect(json(stdout).denials).toMatchObject([{ tool: 'Bash', reason: expect.stringContaining('Bash') }])
  })
})

describe('the exit code', () => {
  const forever = () => bash('true')

  it('is 3 at the limit of turns', async () => {
    const { place } = await stage(scripted(forever))
    const { code, stderr } = await program.run(['-p', 'Go on', '--max-turns', '2'], place)
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'nacre: Stopped after 2 turns, the limit of --max-turns.\n' })
  })

  it('is 3 at the limit of dollars', async () => {
    const { place } = await stage(scripted(forever))
    const { code, stderr } = await program.run(['-p', 'Go on', '--max-budget', '0.000001'], place)
    expect(code).toBe(3)
    expect(stderr).toContain('--max-budget')
  })

  it('is 4 where the model refuses', async () => {
    const { place } = await stage(scripted([{ content: ['No.'], stop: 'refusal' }]))
    const { code, stderr } = await program.run(['-p', 'Do harm'], place)
    expect({ code, stderr }).toEqual({ code: 4, stderr: 'nacre: The model refused to answer.\n' })
  })

  it('is 1 where the server does', async () => {
    const { place, simulator } = await stage(scripted(['Never.']))
    simulator.faults.add({ kind: 'spend-cap', times: 50 })
    const { code, stderr } = await program.run(['-p', 'Hi'], place)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^nacre: ./)
  })

  it('is 5 where the key is refused', async () => {
    const simulator = await startSimulator({ accounts: { right: {} } })
    onTestFinished(() => simulator.close())
    const place = await freshPlace({ ANTHROPIC_API_KEY: 'wrong', ANTHROPIC_BASE_URL: simulator.url })
    expect(await program.run(['-p', 'Hi'], place)).toMatchObject({ code: 5, stdout: '' })
  })

  it('is 5 without a way to a model, with the three ways on', async () => {
    const { place } = await stage(scripted([]))
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...env } = place.env
    const { code, stderr } = await program.run(['-p', 'Hi'], { ...place, env })
    expect(code).toBe(5)
    for (const way of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', '--offline']) expect(stderr).toContain(way)
  })

  it('is 2 for a flag, a session or a setting that is not there', async () => {
    const { place } = await stage(scripted([]))
    for (const args of [
      ['--flags', 'nothing=on'],
      ['--resume', 'nothing'],
      ['--settings', 'nothing.json'],
    ]) {
      const { code, stderr } = await program.run(['-p', 'Hi', ...args], place)
      expect({ args, code }).toEqual({ args, code: 2 })
      expect(stderr).toContain('nothing')
    }
  })

  it.skipIf(process.platform === 'win32')('is 130 after an interrupt, and the session is kept', async () => {
    const { place, simulator } = await stage(scripted(['Never.', 'Here I am.']))
    simulator.faults.add({ kind: 'slow', times: 1, amount: 60_000 })
    const child = program.start(['-p', 'Hi', '--output-format', 'stream-json'], place)
    child.stdin?.end()
    child.stdout?.on('data', (text) => String(text).includes('turn-start') && child.kill('SIGINT'))
    const { code, stdout } = await ended(child)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(-2)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { type: 'result', end: 'aborted', exitCode: 130 },
      { type: 'end', exitCode: 130 },
    ])
    expect(code).toBe(130)
    simulator.faults.clear()
    expect(await program.run(['-p', 'Still there?', '--continue'], place)).toMatchObject({ code: 0 })
  })

  it.skipIf(process.platform === 'win32')(
    'is 130 at once where the session is not open yet, and its hooks end',
    async () => {
      const { place } = await stage(scripted([]))
      const hook = { command: 'echo $$ > begun.part; mv begun.part begun; sleep 900', timeout: 900 }
      await writeFile(join(place.cwd, 'slow.json'), JSON.stringify({ hooks: { SessionStart: [hook] } }))
      const child = program.start(['-p', 'Hi', '--settings', 'slow.json'], place)
      child.stdin?.end()
      await vi.waitFor(async () => expect(await readdir(place.cwd)).toContain('begun'), {
        timeout: 30_000,
        interval: 50,
      })
      child.kill('SIGTERM')
      expect(await ended(child)).toMatchObject({ code: 130, stdout: '' })
      const hookProcess = Number(await readFile(join(place.cwd, 'begun'), 'utf8'))
      await vi.waitFor(() => expect(() => process.kill(hookProcess, 0)).toThrow('ESRCH'), {
        timeout: 30_000,
        interval: 50,
      })
    },
  )

  it('is 0 where whoever reads has left, and nothing is said', async () => {
    const { place } = await stage(scripted(forever))
    const child = program.start(['-p', 'Go on', '--output-format', 'stream-json'], place)
    child.stdin?.end()
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(await ended(child)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('what people keep in a project', () => {
  it('is read where it is: instructions, skills and servers', async () => {
    const { place, exchanges } = await stage(scripted(['Fine.']))
    const home = String(place.env.HOME)
    const skill = (name: string) => `---\nname: ${name}\ndescription: Knows about ${name}.\n---\nBe careful.\n`
    const files = {
      [join(home, '.claude', 'CLAUDE.md')]: 'Everywhere: speak plainly.',
      [join(place.cwd, 'AGENTS.md')]: 'Here: use tabs.',
      [join(place.cwd, 'CLAUDE.md')]: 'Here: never push. @more/rules.md',
      [join(place.cwd, 'more', 'rules.md')]: 'Imported: test first.',
      [join(place.cwd, '.claude', 'skills', 'sailing', 'SKILL.md')]: skill('sailing'),
      [join(place.cwd, '.nacre', 'skills', 'knots', 'SKILL.md')]: skill('knots'),
      [join(place.cwd, 'server.mjs')]: SERVER,
      [join(place.cwd, '.mcp.json')]: JSON.stringify({
        mcpServers: { harbour: { command: process.execPath, args: ['server.mjs'] } },
      }),
    }
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    await program.run(['trust'], place)
    expect(await program.run(['-p', 'Hi'], place)).toMatchObject({ code: 0, stdout: 'Fine.\n' })
    const { body = '' } = exchanges[0] ?? {}
    for (const words of [
      'Everywhere: speak plainly.',
      'Here: use tabs.',
      'Here: never push.',
      'Imported: test first.',
      'Knows about sailing.',
      'Knows about knots.',
      'mcp__harbour__tide',
    ])
      expect(body).toContain(words)
  })
})

/** An MCP server with one tool, as small as one can be. */
const SERVER = `import { createInterface } from 'node:readline'
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'harbour', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tide', description: 'Tells the tide.', inputSchema: { type: 'object' } }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = answers[method]?.(params)
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }) + '\\n')
}
`

describe('the folder of data', () => {
  it('is the only place that is written to', async () => {
    const { place } = await stage(scripted(['Hello.']))
    await program.run(['-p', 'Hi'], place)
    expect(await readdir(place.cwd)).toEqual([])
    expect(await readdir(join(String(place.env.HOME)))).toEqual(['nacre'])
  })
})
