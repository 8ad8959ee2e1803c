import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleChild } from '../support/bundle-child.js'
import { talk, use } from '../support/talk.js'

const KILLS = process.env.NACRE_SOAK === '1' ? 30 : 8
const folder = mkdtempSync(join(tmpdir(), 'nacre-crash-'))
let script = ''
beforeAll(async () => {
  script = await bundleChild(new URL('./children/parent.ts', import.meta.url), folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Kills the parent after so many requests, and some moments more. */
async function killedAfter(home: string, steps: string, requests: number, moments: number): Promise<void> {
  const child = spawn(process.execPath, [script, home, steps], { stdio: ['ignore', 'pipe', 'inherit'] })
  let heard = 0
  let isDue = false
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.length
    if (isDue || (heard <= requests && !chunk.includes('E'))) return
    isDue = true
    let left = moments
    const wait = () => (left-- > 0 ? setImmediate(wait) : child.kill('SIGKILL'))
    wait()
  })
  await once(child, 'close')
}

/** A generator that is the same each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

it(`after a kill -9 of the parent each of five agents is resumable or ended with a reason, and none runs twice`, async () => {
  const random = numbers(7)
  const states = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const home = join(folder, `home-${kill}`)
    const steps = join(folder, `steps-${kill}`)
    mkdirSync(home)
    await killedAfter(home, steps, Math.floor(random() * 30), Math.floor(random() * 40))
    const taken = () => (existsSync(steps) ? readFileSync(steps, 'utf8').trim().split('\n').filter(Boolean) : [])
    const before = taken()
    const step: Tool = {
      name: 'step',
      description: 'Takes a step.',
      schema: { json: { type: 'object' }, parse: (input) => input },
      isReadOnly: () => false,
      isConcurrencySafe: () => true,
      run: () => ({ content: [{ type: 'text', text: 'never reached' }] }),
    }
    const { team, session } = await talk(
      (source, words) => {
        if (source !== 'main') return `${source} goes on.`
        const names = [...words.matchAll(/<agent-notice agent="(a\d)"/g)].map(([, name]) => name)
        return names.length > 0 ? names.map((name) => use('Agents', { action: 'read', name })) : 'ok'
      },
      { store: fileStore({ home, project: home }), resume: 'parent', tools: [step] },
    ).catch((error: unknown) => {
      // Killed before there was a session.
      if (/no session/.test(String(error))) return { team: undefined, session: undefined }
      throw error
    })
    if (!team) continue
    // Nothing was set to work by the resume itself.
    expect(taken()).toEqual(before)
    for (const { name, state, reason, result } of team.agents()) {
      states.add(state)
      expect(['done', 'stopped']).toContain(state)
      if (state === 'stopped')
        expect(reason).toMatch(/a message to it sets it to work again|start another one|interrupted/)
      expect(result, name).toBeDefined()
      const { text } = await team.read(name)
      if (state === 'done') expect(text).toBe(`All steps of ${name} are taken.`)
      const finished = before.filter((line) => line === `${name} 3`).length
      if (state === 'done') expect(finished).toBe(1)
    }
    // No step was taken twice, before or after.
    expect(new Set(before).size).toBe(before.length)
    const lost = team.agents().find(({ reason }) => reason?.includes('a message to it'))
    if (lost) {
      await team.send({ from: 'main', to: lost.name, message: 'Go on.' })
      await team.wait([lost.name], 1e6, new AbortController().signal)
      expect((await team.read(lost.name)).text).toContain(`agent:${lost.name} goes on.`)
    }
    await session.close()
  }
  expect([...states].sort()).toEqual(['done', 'stopped'])
})
