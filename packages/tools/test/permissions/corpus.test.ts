import type { ToolCall } from '@nacre/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPermissions, isReadOnlyCommand, type PermissionMode, type Sandbox } from '../../src/index.js'
import { readySandbox } from '../support/ready-sandbox.js'
import { bashTool } from './bash-tool.js'
import { type Rules, TRICKS } from './corpus.js'
import { corpusFolder } from './corpus-folder.js'
import { ALLOWED, READ_ONLY } from './read-only-corpus.js'

let folder: string
beforeAll(async () => {
  folder = await corpusFolder()
})

const { tool } = bashTool()

function verdictOf(command: string, rules: Rules, mode: PermissionMode = 'default', sandbox?: Sandbox) {
  const call: ToolCall = { id: 'call', name: 'Bash', input: { command } }
  return createPermissions({ rules, mode, ...(sandbox && { sandbox }) }).judge(call, tool, folder)
}

const sandbox = readySandbox()

describe.each(TRICKS)('$kind', ({ rules, expected, commands }) => {
  it.each(commands)('is not run unasked, nor in plan mode, nor against a rule: %j', (command) => {
    expect(verdictOf(command, rules)).toMatchObject({ verdict: expected })
    expect(verdictOf(command, rules, 'plan').verdict).not.toBe('allow')
    if (expected === 'deny') expect(verdictOf(command, rules, 'bypass').verdict).toBe('deny')
  })
})

it('holds at least 150 tricks, none twice', () => {
  const all = TRICKS.flatMap(({ kind, commands }) => commands.map((command) => `${kind} ${command}`))
  expect(all.length).toBeGreaterThanOrEqual(150)
  expect(new Set(all).size).toBe(all.length)
})

describe('what is too much to look at', () => {
  const rules: Rules = { allow: ['Bash(ls:*)', 'Bash(b:*)'], deny: ['Bash(rm:*)', 'Read(.env)'] }

  it('asks about substitutions that are nested deeper than a parser goes', () => {
    expect(verdictOf('a=$(b '.repeat(5000), rules).verdict).toBe('ask')
    expect(isReadOnlyCommand('a=$(b '.repeat(5000), folder)).toBe(false)
  })

  it.each([{}, rules])('asks about stars that reach over the whole disk, without a look at it', (given) => {
    expect(verdictOf('cat /*/*/*/*/*', given).verdict).toBe('ask')
  })
})

describe('what is more than an edit', () => {
  it.each([
    'cp settings.json .nacre',
    'mv settings .nacre',
    'cp src/.npmrc .',
    'mv src/.mcp.json ./',
    'cp ~/.ssh/id_rsa .',
    'cp /etc/shadow x',
    'cp /etc/shado? x',
  ])('asks, even where edits are accepted: %j', (command) => {
    expect(verdictOf(command, {}, 'accept-edits').verdict).toBe('ask')
  })

  it.each(['cp a.txt c.txt', 'mv a.txt src', 'cp a.txt b.txt src'])('unlike what is one: %j', (command) => {
    expect(verdictOf(command, {}, 'accept-edits').verdict).toBe('allow')
  })
})

const PLAIN = [
  'ls -la src',
  'cat a.txt b.txt | head -20',
  'git status -sb',
  'git log --oneline -5',
  'git diff --stat',
  'grep -n login src/a.ts && pwd',
  'cd src; wc -l a.ts',
]
const NOT_PLAIN = [
  'cat *.txt',
  'cat "a b.txt"',
  'ls $HOME',
  'echo $(ls)',
  'FOO=1 ls',
  'find . -name a.txt',
  'git log --format=%H',
  'git log --output=x',
  'ls > x',
  'grep -rn x .',
  'timeout 10 ls',
  "sh -c 'ls'",
  'sort a.txt',
  './ls',
  'echo a | xargs ls',
]

describe('what plainly only reads', () => {
  it.each(READ_ONLY)('passes in a sandbox, in every mode in one that only reads: %j', (command) => {
    expect(isReadOnlyCommand(command, folder)).toBe(true)
    for (const mode of ['default', 'plan', 'accept-edits'] as const)
      expect(verdictOf(command, {}, mode, sandbox)).toMatchObject({ verdict: 'allow', cage: { kind: 'read' } })
  })

  it.each(PLAIN)('passes without one when it is plain: %j', (command) => {
    expect(verdictOf(command, {})).toMatchObject({ verdict: 'allow' })
    expect(verdictOf(command, {}, 'plan')).toMatchObject({ verdict: 'allow' })
  })

  it.each(NOT_PLAIN)('is asked about without one when it is not: %j', (command) => {
    expect(verdictOf(command, {})).toMatchObject({ verdict: 'ask' })
    expect(verdictOf(command, {}, 'plan')).toMatchObject({ verdict: 'deny' })
  })

  it('counts at least 80', () => expect(new Set(READ_ONLY).size).toBeGreaterThanOrEqual(80))
})

describe('what a rule plainly allows', () => {
  it.each(ALLOWED)('passes by $rule: $command', ({ rule, command }) => {
    expect(verdictOf(command, { allow: [rule] }, 'default', sandbox)).toMatchObject({ verdict: 'allow' })
  })

  it.each(ALLOWED)('asks without $rule: $command', ({ command }) => {
    expect(verdictOf(command, {}).verdict).toBe('ask')
  })
})
