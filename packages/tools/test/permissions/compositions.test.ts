import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPermissions, isReadOnlyCommand } from '../../src/index.js'
import { bashTool } from './bash-tool.js'
import { READ_ONLY } from './read-only-corpus.js'

const { tool } = bashTool()
const allow = ['Bash(git diff:*)', 'Bash(npm run test:*)', 'Bash(echo:*)', 'Bash(make build)']
const verdictOf = (command: string, deny: readonly string[] = []) =>
  createPermissions({ rules: { allow, deny } }).judge({ id: 'call', name: 'Bash', input: { command } }, tool, '/')
    .verdict

const SEEDED = { seed: 20, numRuns: 200 }
const joined = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& ', ';', '&&', '\n\n', ' \\\n&& ')
const allowed = fc.constantFrom('git diff', 'npm run test', 'echo hello', 'make build', 'ls', 'git status', 'true')
const forbidden = fc.constantFrom('rm -rf x', 'rm x', '/bin/rm x', 'sudo rm x', 'env rm x', 'nohup rm x')

/** The same word for a shell, written in another way. */
const quoted = (word: string) =>
  fc.constantFrom(
    word,
    `"${word}"`,
    `'${word}'`,
    `\\${word}`,
    `${word.slice(0, 1)}''${word.slice(1)}`,
    `${word.slice(0, 1)}\\\n${word.slice(1)}`,
    `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}'`,
  )

const hidden = forbidden.chain((command) => {
  const [name = '', ...rest] = command.split(' ')
  return quoted(name).map((head) => [head, ...rest].join(' '))
})

/** Puts a command where a shell would run it. */
const placed = (inner: fc.Arbitrary<string>) =>
  fc.tuple(inner, fc.nat(12)).map(([command, place]) => {
    const places = [
      command,
      `(${command})`,
      `{ ${command}; }`,
      `echo $( ${command} )`,
      `echo "$( ${command} )"`,
      `git diff <( ${command} )`,
      `if true; then ${command}; fi`,
      `for i in 1; do ${command}; done`,
      `cat <<EOF\n$( ${command} )\nEOF`,
      `echo \${x:-$( ${command} )}`,
      `f() { ${command}; }; f`,
      `while true; do ${command}; done`,
      `case a in a) ${command};; esac`,
    ]
    return places[place] ?? command
  })

describe('whatever is put together', { timeout: 30_000 }, () => {
  it('is never allowed with a forbidden command in it, and denied where a rule denies that', () => {
    const commands = fc.tuple(
      fc.array(fc.tuple(allowed, joined), { maxLength: 3 }),
      placed(placed(hidden)),
      fc.array(fc.tuple(joined, allowed), { maxLength: 2 }),
    )
    fc.assert(
      fc.property(commands, ([before, middle, after]) => {
        const start = before.map(([command, operator]) => command + operator).join('')
        // What ends a here-document needs the line for itself.
        const end = middle.includes('<<EOF') ? '' : after.map(([operator, command]) => operator + command).join('')
        const command = start + middle + end
        expect([command, verdictOf(command)]).not.toEqual([command, 'allow'])
        expect([command, verdictOf(command, ['Bash(rm:*)'])]).toEqual([command, 'deny'])
        expect([command, isReadOnlyCommand(command, '/')]).toEqual([command, false])
      }),
      SEEDED,
    )
  })

  it('only reads when all its parts only read', () => {
    const plain = READ_ONLY.filter((command) => !/<<|#|&$|\n|^!/.test(command))
    const commands = fc.array(fc.tuple(fc.constantFrom(...plain), joined), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(commands, fc.constantFrom(...plain), (before, last) => {
        const command = before.map(([part, operator]) => part + operator).join('') + last
        expect([command, isReadOnlyCommand(command, '/')]).toEqual([command, true])
      }),
      SEEDED,
    )
  })

  it('is judged without an error, and never takes random text for an allowed command that it is not', () => {
    const pieces = fc.constantFrom(
      'git',
      'diff',
      ' ',
      '"',
      "'",
      '$(',
      ')',
      '`',
      '\\',
      '\n',
      ';',
      '|',
      '&',
      '>',
      '<',
      '<<',
      '{',
      '}',
      '[[',
      ']]',
      '((',
      '))',
      '$',
      'rm x',
      '#',
      '*',
      '~',
      '=',
      'x',
      'for',
      'do',
      'done',
      'in',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (texts) => {
        const command = texts.join('')
        const verdict = verdictOf(command)
        expect(['allow', 'ask']).toContain(verdict)
        if (verdict === 'allow')
          expect([command, />\s*[^&\s/)]/.test(command.replace(/'[^']*'|"[^"$`]*"|#.*|\\./gs, ''))]).toEqual([
            command,
            false,
          ])
      }),
      { ...SEEDED, numRuns: 1000 },
    )
  })
})
