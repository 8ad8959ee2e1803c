import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore } from '@nacre/core/node'
import { standardTools } from '@nacre/tools'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startAgent, talk, use } from './talk.js'

/** Whether a process runs that was started with these words. */
function isThere(words: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === words
      } catch {
        return false
      }
    })
}

it('an abort of the parent ends all its children within a second, with sound logs and no process left', async () => {
  const home = mkdtempSync(join(tmpdir(), 'nacre-abort-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const store = fileStore({ home, project: home })
  const mark = `313${process.pid}`
  const { session, team, asked } = await talk(
    (source, words) => {
      if (source !== 'main') return [use('Bash', { command: `sleep ${mark}` })]
      if (words !== 'Go.') return 'ok'
      return [
        ...Array.from({ length: 4 }, (_, n) => startAgent({ prompt: 'x', name: `f${n}` })),
        startAgent({ prompt: 'x', name: 'behind', run_in_background: true }),
      ]
    },
    { store, plugins: standardTools({ permissions: { mode: 'bypass' }, mcp: { files: {} } }) },
  )
  const stop = new AbortController()
  const query = session.query('Go.', { signal: stop.signal })
  const ended = (async () => {
    for await (const _ of query);
  })()
  await vi.waitFor(() => expect(team.agents().filter(({ name }) => asked(`agent:${name}`).length > 0)).toHaveLength(5))
  await vi.waitFor(() => expect(isThere(`sleep ${mark}`)).toBe(true))
  const start = performance.now()
  stop.abort()
  await ended
  await team.wait(undefined, 5_000, new AbortController().signal)
  expect(performance.now() - start).toBeLessThan(1_000)
  expect(team.agents().map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'stopped'))
  await vi.waitFor(() => expect(isThere(`sleep ${mark}`)).toBe(false))
  for (const { log } of team.agents()) {
    const entries = await store.peek?.(`${session.id}//${log}`)
    const calls = JSON.stringify(entries).match(/"type":"tool_use"/g)?.length
    expect(JSON.stringify(entries).match(/"type":"tool_result"/g)).toHaveLength(calls as number)
  }
  // Each of them can be set to work again.
  expect(await team.send({ from: 'main', to: 'f0', message: 'Go on.' })).toContain('goes on from its transcript')
})
