import type Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { offline } from '../src/index.js'
import { assistant, result, tool, user } from './support/requests.js'
import { simulate } from './support/simulate.js'

interface Memory {
  readonly path: string
  readonly type?: string
  readonly confirmed?: string
  readonly pinned?: true
  readonly says: string
}

interface Input {
  readonly command: string
  readonly path?: string
  readonly [field: string]: unknown
}

const task = (memories: readonly Memory[]) =>
  `Consolidate. Today is 2026-11-18.\n<memories>\n${memories
    .map(({ path, type = 'user', confirmed = '2026-05-01', says }) => `- ${path} (${type}, ${confirmed}): ${says}`)
    .join('\n')}\n</memories>\n<noticed>\nnothing\n</noticed>`

function fileOf({ type = 'user', confirmed = '2026-05-01', pinned, says }: Memory): string {
  const head = [`name: ${says.slice(0, 20)}`, `description: "${says}"`, `type: ${type}`, 'created: 2026-04-01']
  const source = ['source:', '  - session: s', `    quote: "${says}"`]
  const lines = ['---', ...head, ...source, `confirmed: ${confirmed}`, ...(pinned ? ['pinned: true'] : []), '---']
  return [...lines, says, '', '**Why:** it was said.', ''].join('\n')
}

const numbered = (text: string) =>
  `Here's the content with line numbers:\n${text
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
    .join('\n')}`

/** Plays a dream to its end; gives the calls of each answer, and the last words. */
async function dreamOf(memories: readonly Memory[], show = numbered) {
  const { client } = await simulate({ model: offline() })
  const messages: (ReturnType<typeof user> | ReturnType<typeof assistant>)[] = [user(task(memories))]
  const rounds: Input[][] = []
  for (;;) {
    const { content } = await client.messages.create(
      {
        model: 'claude-opus-5-5',
        max_tokens: 4_000,
        messages: messages as Anthropic.MessageParam[],
        tools: [tool('memory')] as Anthropic.Tool[],
      },
      { headers: { 'x-nacre-source': 'dream' } },
    )
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    const [first] = content
    if (calls.length === 0) return { rounds, words: first?.type === 'text' ? first.text : '' }
    rounds.push(calls.map(({ input }) => input as Input))
    const shown = (path: unknown) => show(fileOf(memories.find((each) => each.path === path) as Memory))
    const results = calls.map(({ id, input }) =>
      result(id, (input as Input).command === 'view' ? shown((input as Input).path) : 'done'),
    )
    messages.push(assistant(content), user(results))
  }
}

it('does nothing where no two memories are alike', async () => {
  const { rounds, words } = await dreamOf([
    { path: '/memories/person/a.md', says: 'The user speaks Dutch.' },
    { path: '/memories/b.md', type: 'project', says: 'The code freeze starts on 2026-12-01.' },
  ])
  expect(rounds).toEqual([])
  expect(words).toContain('nothing to do')
})

it('looks first, at what is alike alone, then merges doubles', async () => {
  const { rounds, words } = await dreamOf([
    { path: '/memories/person/a.md', says: 'The user prefers short answers.' },
    { path: '/memories/person/b.md', says: 'The user speaks Dutch.' },
    { path: '/memories/person/c.md', confirmed: '2026-06-01', says: 'The user prefers short answers without emojis.' },
    { path: '/memories/person/d.md', says: 'The user prefers short answers.' },
  ])
  expect(rounds[0]?.map(({ command, path }) => `${command} ${path}`)).toEqual([
    'view /memories/person/a.md',
    'view /memories/person/c.md',
    'view /memories/person/d.md',
  ])
  expect(rounds[1]).toMatchObject([
    { command: 'merge', paths: ['/memories/person/d.md'], into: '/memories/person/a.md' },
  ])
  expect(words.match(/\./g)).toHaveLength(2)
})

const LONG = 'Staging runs on the old cluster in Oslo until the contract with the provider ends.'

it('merges into the one that says all, whichever is newer', async () => {
  const { rounds } = await dreamOf([
    { path: '/memories/a.md', type: 'project', confirmed: '2026-06-01', says: LONG },
    { path: '/memories/b.md', type: 'project', says: LONG.replace('Oslo', 'Oslo, floor 3,') },
  ])
  expect(rounds[1]).toMatchObject([{ command: 'merge', paths: ['/memories/a.md'], into: '/memories/b.md' }])
})

it('gives the survivor what only the other says, at a place that the file has once', async () => {
  const files: Memory[] = [
    { path: '/memories/a.md', type: 'project', says: `${LONG} Ada pays all of it in advance.` },
    { path: '/memories/b.md', type: 'project', says: `${LONG} Ada pays all of it in spring.` },
  ]
  const [replace, merge] = (await dreamOf(files)).rounds[1] ?? []
  expect(replace).toMatchObject({ command: 'str_replace', path: '/memories/a.md' })
  expect(fileOf(files[0] as Memory).split(String(replace?.old_str))).toHaveLength(2)
  expect(replace?.new_str).toContain(files[1]?.says)
  expect(merge).toMatchObject({ command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md' })
})

it('supersedes the older of two that contradict each other in a number, a name or a not', async () => {
  const { rounds } = await dreamOf([
    { path: '/memories/a.md', type: 'project', confirmed: '2026-06-01', says: 'The code freeze starts on 2026-07-08.' },
    { path: '/memories/b.md', type: 'project', says: 'The code freeze starts on 2026-07-01.' },
    { path: '/memories/person/c.md', says: 'The user likes semicolons in code.' },
    { path: '/memories/person/d.md', confirmed: '2026-07-01', says: 'The user does not like semicolons in code.' },
    { path: '/memories/e.md', type: 'project', says: 'The release is signed by Dana.' },
    { path: '/memories/f.md', type: 'project', confirmed: '2026-07-01', says: 'The release is signed by Noor.' },
  ])
  expect(rounds[1]?.map(({ command, path, by }) => [command, path, by])).toEqual([
    ['supersede', '/memories/b.md', '/memories/a.md'],
    ['supersede', '/memories/person/c.md', '/memories/person/d.md'],
    ['supersede', '/memories/e.md', '/memories/f.md'],
  ])
})

it('tells things apart that only sound alike', async () => {
  const { rounds, words } = await dreamOf([
    { path: '/memories/a.md', type: 'project', says: 'The staging database listens on port 5432.' },
    { path: '/memories/b.md', type: 'project', says: 'The reporting database listens on port 5433.' },
    { path: '/memories/person/c.md', says: 'The user prefers tabs in Go.' },
    { path: '/memories/person/d.md', says: 'The user prefers spaces in Python.' },
  ])
  expect(rounds).toHaveLength(1)
  expect(words).toContain('nothing to do')
})

it('does not guess which of two is newer, and leaves what is pinned alone', async () => {
  const { rounds } = await dreamOf([
    { path: '/memories/a.md', type: 'project', says: 'The release is signed by Dana.' },
    { path: '/memories/b.md', type: 'project', says: 'The release is signed by Noor.' },
    { path: '/memories/person/c.md', pinned: true, says: 'The user prefers short answers.' },
    { path: '/memories/person/d.md', says: 'The user prefers short answers.' },
  ])
  expect(rounds).toHaveLength(1)
})

it('archives what tells of a moment, with a reason, and little at once', async () => {
  const moments = Array.from({ length: 4 }, (_, number) => ({
    path: `/memories/m${number}.md`,
    type: 'project',
    says: `The migration of table ${'abcd'[number]}x is currently in progress.`,
  }))
  const { rounds } = await dreamOf([...moments, { path: '/memories/person/a.md', says: 'The user speaks Dutch.' }])
  const deleted = rounds[1]?.filter(({ command }) => command === 'delete') ?? []
  expect(deleted.map(({ path }) => path)).toEqual(['/memories/m0.md'])
  expect(deleted[0]?.reason).toContain('currently')
})

it('reads files without line numbers too, and looks at 20 at most', async () => {
  const many = Array.from({ length: 30 }, (_, number) => ({
    path: `/memories/person/${number}.md`,
    says: 'The user prefers short answers.',
  }))
  const { rounds } = await dreamOf(many, (text) => text)
  expect(rounds[0]).toHaveLength(20)
  expect(rounds[1]).toMatchObject([{ command: 'merge', into: '/memories/person/0.md' }])
  expect(rounds[1]?.[0]?.paths).toHaveLength(19)
})
