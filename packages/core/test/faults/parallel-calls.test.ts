import { expect, it } from 'vitest'
import type { ToolResult } from '../../src/types/tool.js'
import { textResult } from './counted-tools.js'
import { call, endOf, expectSameAfterResume, expectSoundLog, run, startTrial, stepped, unmarked } from './trial.js'

/** Calls that end when the test says so. */
function heldCalls() {
  const held = new Map<string, (result: ToolResult) => void>()
  const waiting = new Set<() => void>()
  return {
    work: ({ what }: { readonly what: string }) =>
      new Promise<ToolResult>((resolve) => {
        held.set(what, resolve)
        for (const look of waiting) look()
      }),
    running: () => [...held.keys()],
    end(what: string) {
      held.get(what)?.(textResult(`content of ${what}`))
      held.delete(what)
    },
    /** Resolves when exactly these run. */
    until: (...names: string[]) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (JSON.stringify([...held.keys()].sort()) !== JSON.stringify(names.sort())) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

it('runs neighbours side by side and the others alone, and gives the results in the order of the calls', async () => {
  const { work, until, end, running } = heldCalls()
  const calls = [call('fetch', 'a'), call('fetch', 'b'), call('write', 'c'), call('write', 'd'), call('fetch', 'e')]
  const trial = await startTrial(stepped([calls]), { work })
  const finished = run(trial.session, 'Work.')
  await until('a', 'b')
  end('b')
  end('a')
  await until('c')
  expect(running()).toEqual(['c'])
  end('c')
  await until('d')
  end('d')
  await until('e')
  end('e')
  expect(endOf(await finished)).toEqual({ type: 'end', reason: 'done' })
  const results = unmarked(trial.bodies[1])
    .messages.at(-1)
    ?.content.map(({ content }) => JSON.stringify(content))
  expect(results).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((what) => JSON.stringify(textResult(`content of ${what}`).content)),
  )
  const logged = trial.store.entries().flatMap((entry) => (entry.kind === 'user' ? entry.content : []))
  expect(logged.map(({ content }) => JSON.stringify(content ?? '')).join()).toMatch(/of b.*of a.*of c.*of d.*of e/)
  expectSoundLog(trial)
})

it('starts what only reads while the answer is still being written', async () => {
  const { work, until, end } = heldCalls()
  const trial = await startTrial(stepped([[call('look', 'a'), call('look', 'c'), call('write', 'b')]]), { work })
  trial.simulator.faults.add({ kind: 'stall', amount: 13 })
  let isAnswered = false
  trial.session.events.on('response', () => {
    isAnswered = true
  })
  const finished = run(trial.session, 'Work.')
  await until('a', 'c')
  expect(isAnswered).toBe(false)
  end('c')
  end('a')
  await until('b')
  expect(isAnswered).toBe(true)
  end('b')
  expect(endOf(await finished)).toEqual({ type: 'end', reason: 'done' })
  expectSoundLog(trial)
})

it('lets what only reads wait for a call before it that does not', async () => {
  const { work, until, end, running } = heldCalls()
  const trial = await startTrial(stepped([[call('write', 'a'), call('look', 'b')]]), { work })
  const finished = run(trial.session, 'Work.')
  await until('a')
  expect(running()).toEqual(['a'])
  end('a')
  await until('b')
  end('b')
  expect(endOf(await finished)).toEqual({ type: 'end', reason: 'done' })
})

it('tells of a call that went on over a broken answer under the name that it has in the whole one', async () => {
  const trial = await startTrial(stepped([[call('look', 'a'), call('look', 'b')]]))
  trial.simulator.faults.add({ kind: 'cut', amount: 10 })
  const events = await run(trial.session, 'Work.')
  const names = (type: string) =>
    events.flatMap((event) => (event.type === type && 'call' in event ? [event.call.id] : []))
  const logged = trial.store.entries().flatMap((entry) => (entry.kind === 'assistant' ? entry.content : []))
  const calls = logged.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  // Those of the broken answer that had begun have an end too, and only one.
  const broken = names('tool-start').filter((id) => !calls.includes(id))
  expect(names('tool-end').sort()).toEqual([...calls, ...broken].sort())
  expect(names('tool-start')).toEqual(expect.arrayContaining(calls))
  expectSoundLog(trial)
  await expectSameAfterResume(trial, 'And more?')
})

it('is not harmed by a listener that throws', async () => {
  const reported: string[] = []
  const report = ({ message }: Error) => reported.push(message)
  const trial = await startTrial(stepped([[call('look', 'a'), call('write', 'b')]]), {
    session: { details: { report } },
  })
  trial.session.events.on('tool-start', () => {
    throw new Error('I am broken.')
  })
  expect(endOf(await run(trial.session, 'Work.'))).toEqual({ type: 'end', reason: 'done' })
  expect(reported).toEqual(Array(2).fill(expect.stringContaining('I am broken.')))
  expectSoundLog(trial)
})
