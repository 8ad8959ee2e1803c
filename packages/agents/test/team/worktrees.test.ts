import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lastWords, startAgent, talk, use } from '../support/talk.js'

function repository(): { readonly root: string; readonly folder: string; git(...args: string[]): string } {
  const base = mkdtempSync(join(tmpdir(), 'nacre-worktree-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'project')
  mkdirSync(root)
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  }
  git('init', '-q')
  writeFileSync(join(root, 'a.txt'), 'one\n')
  writeFileSync(join(root, '.gitignore'), 'built\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  return { root, folder: join(base, 'data', 'worktrees'), git }
}

it('two agents in worktrees change the same file: both are kept, and the conflict is told', async () => {
  const { root, folder, git } = repository()
  const write = {
    name: 'write',
    description: 'Writes.',
    schema: { json: { type: 'object' }, parse: (input: unknown) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => true,
    run(input: unknown, { cwd }: { readonly cwd: string }) {
      writeFileSync(join(cwd, 'a.txt'), `by ${(input as { text: string }).text}\n`)
      return { content: [{ type: 'text', text: 'written' }] }
    },
  }
  const start = (name: string) => startAgent({ prompt: name, name, isolation: 'worktree' })
  const { say, asked, team } = await talk(
    (source, words) => {
      if (source === 'main') return words === 'Go.' ? [start('one'), start('two'), start('idle')] : 'ok'
      return words === 'one' || words === 'two' ? [use('write', { text: words })] : 'Done.'
    },
    { tools: [write], cwd: root, agents: { data: join(folder, '..') } },
  )
  await say('Go.')
  const kept = team.agents().filter(({ worktree }) => worktree)
  expect(kept.map(({ name, worktree }) => [name, worktree?.files])).toEqual([
    ['one', ['a.txt']],
    ['two', ['a.txt']],
  ])
  const words = lastWords(asked('main')[1] as never)
  expect(words).toMatch(/Conflict: (one|two) has changed a\.txt too, on nacre\//)
  expect(words).toContain('It has changed no files; its worktree was removed.')
  const texts = kept.map(({ worktree }) => readFileSync(join(worktree?.path ?? '', 'a.txt'), 'utf8'))
  expect(texts).toEqual(['by one\n', 'by two\n'])
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(3)
  expect(git('status', '--porcelain')).toBe('')
})
