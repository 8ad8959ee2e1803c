import { appendFileSync, writeSync } from 'node:fs'
import { createSession, type Tool } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'
import { createAgents } from '../../../src/index.js'

// Starts five agents, each of which takes four steps and says so, until it is killed.
const [home = '', steps = ''] = process.argv.slice(2)
const step: Tool = {
  name: 'step',
  description: 'Takes a step.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  async run(input) {
    const { name, number } = input as { name: string; number: number }
    // A file that survives the kill: who has taken which step, however often.
    appendFileSync(steps, `${name} ${number}\n`)
    await new Promise((resolve) => setImmediate(resolve))
    return { content: [{ type: 'text', text: `step ${number} is taken` }] }
  },
}
const model = scriptedModel(({ fields, messages }) => {
  const source = String(fields.extra?.source)
  writeSync(1, '.')
  const turns = messages.filter((message) => (message as { role: string }).role === 'assistant').length
  if (source !== 'main') {
    const name = source.replace('agent:', '')
    const done = JSON.stringify(messages).match(/step \d is taken/g)?.length ?? 0
    return done < 4
      ? [{ type: 'tool_use', name: 'step', input: { name, number: done } }]
      : `All steps of ${name} are taken.`
  }
  if (turns > 0) return 'ok'
  return Array.from({ length: 5 }, (_, n) => ({
    type: 'tool_use',
    name: 'Agent',
    input: { description: 'steps', prompt: `Take the steps of a${n}.`, name: `a${n}`, run_in_background: n % 2 === 0 },
  }))
})
const layer = createAgents()
const session = await createSession({
  model,
  tools: [step],
  plugins: [layer.plugin],
  store: fileStore({ home, project: home }),
  open: { id: 'parent' },
})
for await (const _ of session.query('Go.'));
await layer.of('parent')?.wait(undefined, 1e6, new AbortController().signal)
writeSync(1, 'E')
// Nobody closes it: it is killed at the latest now.
setInterval(() => undefined, 1e6)
