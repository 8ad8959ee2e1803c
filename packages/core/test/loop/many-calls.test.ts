import { expect, it, onTestFinished } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, readFile } from '../session/setup.js'

const CALLS = 30

it('thirty calls side by side are taken for no leak of listeners', async () => {
  const warnings: string[] = []
  const hear = ({ name }: Error) => void warnings.push(name)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  const calls = Array.from({ length: CALLS }, (_, n) => ({
    type: 'tool_use' as const,
    name: 'read_file',
    input: { path: `${n}.ts` },
  }))
  let waiting = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  const gate = definePlugin({
    name: 'gate',
    setup: () => ({
      hooks: {
        async PreToolUse() {
          if (++waiting === CALLS) open()
          await all
        },
      },
    }),
  })
  const session = await createSession({ model: scriptedModel([calls]), tools: [readFile], plugins: [gate] })
  onTestFinished(() => session.close())
  await eventsOf(session.query('Read them.'))
  await new Promise((resolve) => setImmediate(resolve))
  expect([waiting, warnings]).toEqual([CALLS, []])
})
