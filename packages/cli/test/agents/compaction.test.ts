import { compact } from '@nacre/compact'
import type { Tool } from '@nacre/core'
import { expect, it } from 'vitest'
import { lastWords, startAgent, talk, use } from './talk.js'

const SUMMARY = Array.from(
  { length: 9 },
  (_, n) => `${n + 1}. Section ${n + 1}\n${'The work on the boat goes on. '.repeat(12)}`,
).join('\n\n')

/** A tool that ends when the test says so. */
function gateTool(): Tool & { open(): void; readonly entered: Promise<void> } {
  let open = () => {}
  let enter = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  return {
    name: 'gate',
    description: 'Waits.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    async run() {
      enter()
      await gate
      return { content: [{ type: 'text', text: 'open' }] }
    },
    open,
    entered,
  }
}

it('a parent that is compacted while five agents run knows each, starts none again, and reads all results', async () => {
  const gate = gateTool()
  const { say, session, asked, team } = await talk(
    (source, words) => {
      if (source === 'compact') return `<analysis>fine</analysis><summary>${SUMMARY}</summary>`
      if (source.startsWith('agent:')) return words === 'Wait.' ? [use('gate', {})] : `${source} has found the answer.`
      if (words === 'Go.') {
        return Array.from({ length: 5 }, (_, n) =>
          startAgent({ prompt: 'Wait.', name: `a${n}`, run_in_background: true }),
        )
      }
      if (words.includes('<agent-notice')) {
        const names = [...words.matchAll(/<agent-notice agent="(a\d)"/g)].map(([, name]) => name)
        return names.map((name) => use('Agents', { action: 'read', name }))
      }
      return `Yes. ${'A word about it. '.repeat(50)}`
    },
    { tools: [gate], plugins: compact() },
  )
  for (let turn = 0; turn < 4; turn++) await say(`Tell me more, part ${turn}. ${'Please. '.repeat(200)}`)
  await say('Go.')
  await gate.entered
  const outcome = await session.compact()
  expect(JSON.stringify(outcome)).toContain('agents')
  await say('Who works for you?')
  const view = JSON.stringify(asked('main').at(-1)?.messages)
  for (let n = 0; n < 5; n++) expect(view).toContain(`- a${n} (general; a task) is running`)
  expect(view).toContain('none of them has to be started again')
  gate.open()
  await team.wait(undefined, 1e6, new AbortController().signal)
  // Folded once more, with results that nobody has read.
  await session.compact()
  await say()
  await say('And?')
  const heard = asked('main').map(lastWords).join('\n')
  for (let n = 0; n < 5; n++) {
    expect(heard).toContain(`agent:a${n} has found the answer.`)
    expect(asked(`agent:a${n}`)).toHaveLength(2)
  }
  expect(team.agents().every(({ result }) => result?.isRead)).toBe(true)
})
