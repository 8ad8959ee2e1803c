import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@nacre/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastWords, startAgent, talk, use } from '../support/talk.js'

const folder = mkdtempSync(join(tmpdir(), 'nacre-types-'))
const home = join(folder, 'home')
const project = join(folder, 'project')
beforeAll(() => {
  for (const place of [home, project]) mkdirSync(join(place, '.claude', 'agents'), { recursive: true })
  writeFileSync(
    join(project, '.claude', 'agents', 'reviewer.md'),
    '---\nname: reviewer\ndescription: Reviews changes.\ntools: look\nmodel: haiku\nmemory: project\ncolor: red\nstars: 5\n---\nYou review with care.\n',
  )
  writeFileSync(join(home, '.claude', 'agents', 'caged.md'), '---\nname: caged\ndescription: x\nhooks: {}\n---\nYou.\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const look = {
  name: 'look',
  description: 'Looks.',
  schema: { json: { type: 'object' }, parse: (input: unknown) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: 'seen' }] }),
}

it('a definition of a trusted project gives an agent its prompt, its tools, its model and its memory', async () => {
  const haiku = scriptedModel(
    (request) =>
      lastWords(request) === 'Review.'
        ? [use('AgentMemory', { command: 'write', file: 'MEMORY.md', content: '- tests are slow\n' })]
        : 'Reviewed.',
    { id: 'haiku' },
  )
  const start = (name: string) => startAgent({ prompt: 'Review.', subagent_type: 'reviewer', name })
  const { say, session, team } = await talk(
    (_source, words) => (words === 'Go.' ? [start('one')] : words === 'Again.' ? [start('two')] : 'ok'),
    { tools: [look, { ...look, name: 'change' }], agents: { home, project, model: () => haiku } },
  )
  await say('Go.')
  const [first] = haiku.requests
  expect(JSON.stringify(first?.epoch.system)).toContain('You review with care.')
  const tools = ((first?.epoch.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
  expect(tools).toEqual(['look', 'SendMessage', 'AgentMemory'])
  expect(team.agents()).toMatchObject([{ state: 'done', type: 'reviewer' }])
  await say('Again.')
  expect(JSON.stringify(haiku.requests.at(-1)?.epoch.system)).toContain('- tests are slow')
  const notices = []
  for await (const entry of (await session.inspect()).entries()) if (entry.kind === 'notice') notices.push(entry.text)
  expect(notices.filter((text) => text.includes('stars'))).toHaveLength(1)
  expect(notices.filter((text) => text.includes('caged.md'))).toHaveLength(1)
  expect(team.types.has('caged')).toBe(false)
})

it('nothing of a project is known where it is not trusted', async () => {
  const { say, asked, team } = await talk(
    (_source, words) => (words === 'Go.' ? [startAgent({ prompt: 'x', subagent_type: 'reviewer' })] : 'ok'),
    { agents: { home } },
  )
  await say('Go.')
  expect(team.types.has('reviewer')).toBe(false)
  expect(lastWords(asked('main').at(-1) as never)).toContain("There is no agent type 'reviewer'")
})
