import { expect, it } from 'vitest'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { PromptSection } from '../../src/types/plugin.js'
import { folding } from '../relief/folding.js'
import { eventsOf, readFile, setUp } from './setup.js'

const call = { type: 'tool_use', name: 'read_file', input: { path: 'src/a.ts' } } as const

/** A section of one file, which may change. */
function section() {
  const file = { text: 'Use tabs.', hash: 'first' }
  const rules: PromptSection = {
    name: 'rules',
    scope: 'session',
    text: () => file.text,
    rules: () => [{ path: '/AGENTS.md', hash: file.hash }],
  }
  return { file, rules }
}

async function work(session: Session): Promise<void> {
  for (const prompt of ['One.', 'Two.', 'Three.']) await eventsOf(session.query(prompt))
}

async function rulesOfFold(session: Session) {
  const outcome = await session.compact()
  return 'edit' in outcome ? outcome.edit.receipt?.rules : outcome
}

const model = ({ messages }: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }) =>
  JSON.stringify(messages.at(-1)).includes('tool_result') ? 'Done.' : [call]

it('lists the files behind the system prompt in the receipt of a fold, as they are from then on', async () => {
  const { file, rules } = section()
  const { start } = await setUp(model)
  const session = await start({ plugins: [folding], system: [rules], tools: [readFile] })
  await work(session)
  expect(await rulesOfFold(session)).toEqual([{ path: '/AGENTS.md', hash: 'first' }])
  Object.assign(file, { text: 'Use spaces.', hash: 'second' })
  await work(session)
  expect(await rulesOfFold(session)).toEqual([{ path: '/AGENTS.md', hash: 'second' }])
})

it('knows them after a resume, which makes no section anew', async () => {
  const { file, rules } = section()
  const { start } = await setUp(model)
  const store = memoryStore()
  const options = { plugins: [folding], system: [rules], tools: [readFile], store }
  const first = await start({ ...options, open: { id: 'one' } })
  await work(first)
  await first.close()
  const second = await start({ ...options, open: { resume: 'one' } })
  file.hash = 'changed without a word'
  expect(await rulesOfFold(second)).toEqual([{ path: '/AGENTS.md', hash: 'first' }])
})
