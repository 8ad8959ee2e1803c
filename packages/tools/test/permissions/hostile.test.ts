import { describe, expect, it } from 'vitest'
import { createPermissions, isReadOnlyCommand, type Judgement, suggestRule } from '../../src/index.js'
import { bashTool } from './bash-tool.js'

const { tool } = bashTool()
const STARS = `${'*a'.repeat(40)}*c`
/** Far more than any of it takes, and far less than the hours that some of it took. */
const LIMIT = 6_000

type Rules = Parameters<typeof createPermissions>[0] extends infer Options | undefined
  ? NonNullable<Options> extends { readonly rules?: infer Given }
    ? Given
    : never
  : never

function judge(command: string, rules: NonNullable<Rules> = { allow: ['Bash(ls:*)'] }): Judgement {
  return createPermissions({ rules }).judge({ id: 'call', name: 'Bash', input: { command } }, tool, '/tmp')
}

function within<Result>(work: () => Result): Result {
  const start = performance.now()
  const result = work()
  expect(performance.now() - start).toBeLessThan(LIMIT)
  return result
}

/** A body in loops, one in the other, over so many values each. */
function loops(depth: number, values: number, body: string): string {
  const words = Array.from({ length: values }, (_, value) => value).join(' ')
  return depth === 0 ? body : `for v${depth} in ${words}; do ${loops(depth - 1, values, body)}; done`
}

const nested = (open: string, depth: number, close = '', inside = 'ls') =>
  open.repeat(depth) + inside + close.repeat(depth)

const COMMANDS: Readonly<Record<string, string>> = {
  'seven loops that run nothing': loops(7, 20, '[[ -f a ]]'),
  'seven loops that run something': loops(7, 20, 'rm $v1'),
  'loops around a shell': loops(5, 20, `bash -c 'echo ${'$v1 '.repeat(40)}'`),
  substitutions: nested('$(', 2_000, ')'),
  'substitutions without an end': nested('$(', 4_000),
  'subshells without an end': nested('(', 49_000),
  'arithmetic without an end': nested('$((', 4_000, '', '1'),
  'braces without an end': nested('{', 49_000),
  backticks: '`'.repeat(49_000),
  'functions in functions': nested('f() { ', 5_000, '; }'),
  'cases in cases': nested('case a in a) ', 2_500, ';; esac'),
  'conditions in conditions': nested('if a; then ', 2_500, '; fi'),
  'here-documents': `rm ${'<<A '.repeat(2_000)}\n${'x\n'.repeat(1_000)}`,
  'pipes of processes': nested('<(', 3_000, ')'),
  'defaults in defaults': nested('${a:-', 8_000, '}', 'a'),
  'braces to expand': `rm ${'{a,b}'.repeat(9_000)}`,
  'shells in shells': nested('bash -c "', 5_000, '"'),
  'commands that run commands': `${'sudo env '.repeat(5_000)}ls`,
  'a megabyte of one word': `rm ${'a'.repeat(1_000_000)}`,
  'a megabyte of commands': 'rm a; '.repeat(170_000),
}

describe('a command that was made to keep the judge busy', () => {
  it.each(Object.entries(COMMANDS))('is judged in time, and not allowed: %s', (_what, command) => {
    const deny = ['Bash(curl:*)', 'Bash(*x*y*z)', 'Read(.env)']
    expect(within(() => judge(command, { deny })).verdict).not.toBe('allow')
  })

  it('has less than 700 characters and came to no end', () => {
    expect(loops(7, 20, '[[ -f a ]]').length).toBeLessThan(700)
    expect(judge(loops(7, 20, '[[ -f a ]]'))).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('too many parts'),
    })
    expect(within(() => isReadOnlyCommand(loops(7, 20, '[[ -f a ]]')))).toBe(false)
    expect(suggestRule({ id: 'call', name: 'Bash', input: { command: loops(7, 20, 'ls') } })).toBeUndefined()
  })

  it('that is plain is judged as before, however long', () => {
    expect(judge(`ls ${'a '.repeat(5_000)}`).verdict).toBe('allow')
    expect(judge(loops(2, 4, 'ls $v1 $v2')).verdict).toBe('allow')
  })
})

describe('rules that were made to keep the judge busy', () => {
  const text = 'a'.repeat(5_000)

  it('forbid what they speak of, and nothing else', () => {
    expect(within(() => judge(`${text}c`, { deny: [`Bash(${STARS})`] })).verdict).toBe('deny')
    expect(within(() => judge(`rm ${text}b`, { deny: [`Bash(${STARS})`] })).verdict).toBe('ask')
    expect(within(() => judge(`${text}c`, { allow: [`Bash(${STARS})`] })).verdict).toBe('allow')
    expect(within(() => judge(`${text}b`, { allow: [`Bash(${STARS})`] })).verdict).toBe('ask')
  })

  it('are looked for in what can not be parsed too', () => {
    const deny = ['Bash(rm *a*b*c*d)']
    const filler = 'a b c '.repeat(3_000)
    expect(within(() => judge(`rm ${filler} d; if`, { deny })).verdict).toBe('deny')
    expect(within(() => judge(`rm\\ $IFS"${filler}" xd; (`, { deny })).verdict).toBe('deny')
    expect(within(() => judge(`rm ${filler}; if`, { deny })).verdict).toBe('ask')
  })

  it('are a thousand', () => {
    const deny = Array.from({ length: 1_000 }, (_, index) => `Bash(*${index}*a*a*a*c)`)
    expect(within(() => judge('ls src', { deny })).verdict).toBe('allow')
    expect(within(() => judge(`${'rm aaa; '.repeat(900)} if`, { deny })).verdict).toBe('ask')
  })

  it('speak of skills and agents', () => {
    const permissions = createPermissions({ rules: { deny: [`Skill(${STARS})`] } })
    const call = (name: string) => permissions.judge({ id: 'call', name: 'Skill', input: { name } }, tool, '/tmp')
    expect(within(() => call(`${text}b`)).verdict).toBe('pass')
    expect(within(() => call(`${text}c`)).verdict).toBe('deny')
  })

  it('are refused where they are longer than anybody reads', () => {
    const rules = { deny: [`Bash(${'a'.repeat(10_001)})`] }
    expect(() => createPermissions({ rules })).toThrow('it has more than 10000 characters. Make it shorter.')
  })
})

describe('a pattern of paths with many stars', () => {
  const name = 'a'.repeat(250)
  const judged = (rules: NonNullable<Rules>, path: string) =>
    within(() =>
      createPermissions({ rules }).judge({ id: 'call', name: 'Read', input: { file_path: path } }, tool, '/repo'),
    ).verdict

  it('forbids what it speaks of, in whatever letters, and what is below', () => {
    const deny = [`Read(${STARS})`]
    expect(judged({ deny }, `/repo/src/${name}cb`)).toBe('allow')
    expect(judged({ deny }, `/repo/src/${name}c`)).toBe('deny')
    expect(judged({ deny }, `/repo/src/${name.toUpperCase()}C/below/it`)).toBe('deny')
    expect(judged({ deny: [`Read(${STARS}/)`] }, `/repo/${name}c`)).toBe('allow')
    expect(judged({ deny: [`Read(${STARS}/)`] }, `/repo/${name}c/below`)).toBe('deny')
  })

  it('is read from the root where it begins there, and at any depth with **', () => {
    const deep = `/repo/${'a/'.repeat(500)}`
    const deny = [`Read(/repo/${'**/a/'.repeat(20)}c)`]
    expect(judged({ deny }, `${deep}b`)).toBe('allow')
    expect(judged({ deny }, `${deep}c`)).toBe('deny')
    expect(judged({ deny: ['Read(/other/*a*a*a*)'] }, '/repo/aaa')).toBe('allow')
  })

  it('that is broken is refused when it is read', () => {
    expect(() => createPermissions({ rules: { deny: ['Read(*a*a*a[)'] } })).toThrow('has a [ without its ]')
  })
})
