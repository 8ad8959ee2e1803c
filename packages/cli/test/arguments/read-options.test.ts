import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProgram, misspeltCommand } from '../../src/arguments/create-program.js'
import { type RunFlags, type RunOptions, readOptions } from '../../src/arguments/run-options.js'

/** The options of a command line, or what is said about it. */
async function read(args: readonly string[], cwd = '.'): Promise<RunOptions | string> {
  let said = ''
  let options: Promise<RunOptions> | undefined
  const program = createProgram('1.2.3').configureOutput({
    writeErr: (text) => {
      said += text
    },
    writeOut: (text) => {
      said += text
    },
  })
  program.action(async (prompt: string | undefined, flags: RunFlags) => {
    options = readOptions({ cwd }, flags, prompt)
    await options
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return (await options) ?? said
  } catch (error) {
    return said || (error as Error).message
  }
}

const PLAIN = { output: 'text', input: 'text', limits: {}, open: { kind: 'new' }, isOffline: false, overrides: {} }

describe('the command line', () => {
  it('begins an interactive session, with or without a prompt', async () => {
    expect(await read([])).toEqual(PLAIN)
    expect(await read(['Fix the bug'])).toEqual({ ...PLAIN, prompt: 'Fix the bug' })
  })

  it.each([
    [['-p', 'Hello']],
    [['Hello', '-p']],
    [['--print', '--', 'Hello']],
    [['-p=Hello'.replace('=', '')]],
    [['--print=Hello']],
  ])('takes the prompt of %j', async (args) => {
    expect(await read(args)).toEqual({ ...PLAIN, print: 'Hello' })
  })

  it('leaves the prompt to stdin', async () => {
    expect(await read(['-p'])).toEqual({ ...PLAIN, print: true })
  })

  it.each<readonly [readonly string[], Partial<RunOptions>]>([
    [['-c'], { open: { kind: 'continue', fork: false } }],
    [['--continue', '--fork-session'], { open: { kind: 'continue', fork: true } }],
    [['--continue', '--take-up'], { open: { kind: 'continue', fork: false }, takeUp: true }],
    [['--resume'], { open: { kind: 'resume', fork: false } }],
    [['-r', 'login test', '--fork-session'], { open: { kind: 'resume', text: 'login test', fork: true } }],
    [['--session-id', 'abc'], { open: { kind: 'new', id: 'abc' } }],
    [['--max-turns', '5', '--max-budget', '$0.50'], { limits: { maxTurns: 5, maxBudgetUsd: 0.5 } }],
    [['--offline', '--model', 'claude-opus-5-5'], { isOffline: true, overrides: { model: 'claude-opus-5-5' } }],
    [['--flags', 'a=on, b.c=off', '--flags', 'd=on'], { overrides: { flags: { a: true, 'b.c': false, d: true } } }],
    [
      [
        '--allowed-tools',
        'Bash(git commit:*),Read Edit',
        '--disallowed-tools',
        'WebFetch',
        '--permission-mode',
        'plan',
      ],
      {
        overrides: { permissions: { allow: ['Bash(git commit:*)', 'Read', 'Edit'], deny: ['WebFetch'], mode: 'plan' } },
      },
    ],
    [['--add-dir', '../a', '--add-dir', '../b'], { overrides: { permissions: { workspace: ['../a', '../b'] } } }],
  ])('reads %j', async (args, options) => {
    expect(await read(args)).toEqual({ ...PLAIN, ...options })
  })

  it.each([
    [
      ['--modle', 'x'],
      ["unknown option '--modle'", 'Did you mean --model?'],
    ],
    [
      ['-p', '--output-format', 'xml'],
      ['--output-format', "'xml'", 'text, json, stream-json'],
    ],
    [
      ['--permission-mode', 'yolo'],
      ['--permission-mode', 'acceptEdits'],
    ],
    [
      ['--max-turns', '1.5'],
      ['--max-turns', "'1.5'", 'a whole number above 0'],
    ],
    [
      ['--max-turns', 'many'],
      ['--max-turns', 'a whole number above 0'],
    ],
    [
      ['--max-budget', '-1'],
      ['--max-budget', 'dollars above 0'],
    ],
    [
      ['--flags', 'compact'],
      ['--flags', 'name=on or name=off'],
    ],
    [
      ['--allowed-tools', 'Bash(git'],
      ['--allowed-tools', 'bracket'],
    ],
    [
      ['--allowed-tools', ' '],
      ['--allowed-tools', 'Bash(git:*),Read'],
    ],
    [['fix', 'the', 'bug'], ['too many arguments']],
    [['-p', 'one', 'two'], ['two prompts']],
    [
      ['--continue', '--resume', 'x'],
      ['--continue', '--resume'],
    ],
    [['--session-id', 'x', '--continue'], ['--session-id']],
    [
      ['--session-id', ''],
      ['--session-id', 'nightly-7'],
    ],
    [
      ['--session-id', '../../x'],
      ['--session-id', 'nightly-7'],
    ],
    [
      ['--resume', ' '],
      ['--resume', 'words of a title'],
    ],
    [['--fork-session'], ['--fork-session', '--continue or --resume']],
    [['--take-up'], ['--take-up', '--continue or --resume']],
    [
      ['--output-format', 'json'],
      ['--output-format', '--print'],
    ],
    [
      ['--input-format', 'text'],
      ['--input-format', '--print'],
    ],
    [['-p', '--input-format', 'stream-json'], ['--output-format stream-json']],
    [['-p', 'x', '--input-format', 'stream-json', '--output-format', 'stream-json'], ['stdin']],
    [
      ['-p', 'x', '--resume'],
      ['--resume', '--continue'],
    ],
    [
      ['--settings', 'nowhere.json'],
      ['--settings', 'nowhere.json'],
    ],
  ])('refuses %j, and says what was expected', async (args, words) => {
    const said = await read(args)
    for (const word of words) expect(said).toContain(word)
  })

  it('has the version and help with examples', async () => {
    expect(await read(['--version'])).toBe('1.2.3\n')
    const help = await read(['--help'])
    for (const word of ['Examples:', 'nacre -p', 'Exit codes:', 'NACRE_HOME']) expect(help).toContain(word)
  })

  it('has an example for every option, and names no variable by another meaning than the settings have', async () => {
    const help = String(await read(['--help']))
    const examples = help.slice(help.indexOf('Examples:'), help.indexOf('Environment:'))
    const without = createProgram('1.2.3').options.filter(
      ({ long, short, mandatory }) =>
        !mandatory && long !== '--version' && ![long, short].some((flag) => flag && examples.includes(flag)),
    )
    expect(without.map(({ long }) => long)).toEqual([])
    expect(help).toMatch(/NACRE_HOME +where sessions, notes and trust are kept/)
    expect(help).toMatch(/NACRE_MODEL +the model, in place of the one that settings name/)
  })

  it('adds the settings of a file, below the options', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nacre-settings-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const settings = { model: 'from-file', permissions: { allow: ['Read'] }, flags: { a: true, b: true } }
    await writeFile(join(folder, 'more.json'), JSON.stringify(settings))
    expect(
      await read(['--settings', 'more.json', '--model', 'm', '--allowed-tools', 'Edit', '--flags', 'b=off'], folder),
    ).toEqual({
      ...PLAIN,
      overrides: { model: 'm', permissions: { allow: ['Read', 'Edit'] }, flags: { a: true, b: false } },
    })
    await writeFile(join(folder, 'more.json'), '{"modle": "x"}')
    expect(await read(['--settings', 'more.json'], folder)).toMatch(/more\.json.*modle/s)
  })

  it('asks back where a prompt looks like a command with a slip in it', () => {
    const program = createProgram('1.2.3')
    program.command('sessions')
    expect(misspeltCommand(program, ['sesions'], 'sesions')).toContain("Did you mean 'nacre sessions'?")
    expect(misspeltCommand(program, ['--', 'sesions'], 'sesions')).toBeUndefined()
    expect(misspeltCommand(program, ['hello'], 'hello')).toBeUndefined()
    expect(misspeltCommand(program, ['list sesions'], 'list sesions')).toBeUndefined()
    expect(misspeltCommand(program, ['sesions', '-p'], 'sesions')).toBeUndefined()
    expect(misspeltCommand(program, ['sessions'], 'sessions')).toBeUndefined()
  })
})
