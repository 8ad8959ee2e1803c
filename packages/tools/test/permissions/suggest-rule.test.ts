import { expect, it } from 'vitest'
import { createPermissions, suggestRule } from '../../src/index.js'
import { bashTool } from './bash-tool.js'
import { TRICKS } from './corpus.js'

const run = (command: string) => ({ id: 'call', name: 'Bash', input: { command } })

it.each([
  ['npm run test', 'Bash(npm run test:*)'],
  ['npm run test -- --watch', 'Bash(npm run test:*)'],
  ['npm install', 'Bash(npm install:*)'],
  ['git commit -m "a b"', 'Bash(git commit:*)'],
  ['timeout 60 npm run test', 'Bash(npm run test:*)'],
  ['make build', 'Bash(make build:*)'],
  ['cargo test --all', 'Bash(cargo test:*)'],
  ['rm -rf dist', 'Bash(rm -rf dist)'],
  ['python script.py', 'Bash(python script.py)'],
  ['node -e "1"', 'Bash(node -e "1")'],
  ['npm run build && npm publish', 'Bash(npm run build && npm publish)'],
  ['git -c a=b status', 'Bash(git -c a=b status)'],
  ['rm *', undefined],
  ['$x', 'Bash($x)'],
  ['echo "unterminated', undefined],
])('suggests for %j: %s', (command, rule) => {
  expect(suggestRule(run(command))).toBe(rule)
})

it('suggests folders, domains and names for other tools', () => {
  const suggest = (name: string, input: Record<string, string>) => suggestRule({ id: 'call', name, input }, '/project')
  expect(suggest('Edit', { file_path: '/project/src/a.ts' })).toBe('Edit(src/**)')
  expect(suggest('Write', { file_path: 'a.ts' })).toBe('Edit(**)')
  expect(suggest('Write', { file_path: '/etc/x/a.ts' })).toBe('Edit(/etc/x/**)')
  expect(suggest('Read', { file_path: 'src/a.ts' })).toBe('Read(src/**)')
  expect(suggest('WebFetch', { url: 'https://a.test/b' })).toBe('WebFetch(domain:a.test)')
  expect(suggest('WebFetch', { url: 'nowhere' })).toBeUndefined()
  expect(suggest('Skill', { name: 'review' })).toBe('Skill(review)')
  expect(suggest('mcp__git__push', {})).toBe('mcp__git__push')
})

it('suggests rules that are no rules for more than their words say: those of the corpus allow none of its other commands', () => {
  const { tool } = bashTool()
  const commands = TRICKS.flatMap((tricks) => tricks.commands)
  for (const command of commands) {
    const rule = suggestRule(run(command))
    if (rule === undefined) continue
    expect(() => createPermissions({ rules: { allow: [rule] } })).not.toThrow()
    const verdict = createPermissions({ rules: { allow: [rule] } }).judge(run(`${command}; reboot`), tool, '/').verdict
    expect([command, verdict]).not.toEqual([command, 'allow'])
  }
})
