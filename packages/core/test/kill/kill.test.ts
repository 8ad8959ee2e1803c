import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Simulator, startSimulator } from '@nacre/simulator'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileStore } from '../../src/node/file-store.js'
import type { PlainMessage } from '../view/oracle.js'
import { killPoint } from './kill-point.js'
import { isLost, messagesOf, type ReadBack, readBack } from './read-back.js'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.js'
import { except, TURNS, turnsIn, uninterrupted, workingModel } from './reference.js'
import { seeded } from './seeded.js'
import { runWorker, type Worked } from './worker.js'

const KILLS = Number(process.env.KILLS ?? 12)
const KILLS_OF_A_SESSION = 6
const SLOWNESS = '3'
const PROJECT = 'kills'
type Mode = 'plain' | 'folding'

const folder = mkdtempSync(join(tmpdir(), 'nacre-kill-session-'))
const script = join(folder, 'worker.mjs')
let simulator: Simulator
let proxy: RecordingProxy
let reference: readonly (readonly PlainMessage[])[] = []

beforeAll(async () => {
  const entry = { worker: fileURLToPath(new URL('./children/worker.ts', import.meta.url)) }
  const outExtension = () => ({ js: '.mjs' })
  // All in one file: from where it lies, no dependency could be found.
  const options = { outDir: folder, noExternal: [/./], target: 'node20', silent: true, config: false as const }
  await build({ entry, ...options, format: 'esm', outExtension })
  simulator = await startSimulator({ model: workingModel, account: { thinkingBinding: 'enforced' } })
  proxy = await startRecordingProxy(simulator.url)
  reference = await uninterrupted()
})
afterAll(async () => {
  await proxy?.close()
  await simulator?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a session's workers have done so far. */
interface Past {
  readonly mode: Mode
  readonly log: ReadBack
  /** Calls whose results were in the log when a worker was killed. */
  readonly kept: Set<string>
  bodies: number
}

/** What holds after each kill, and after the end. */
async function expectNothingLost({ log, kept, ...past }: Past, { lines }: Worked): Promise<void> {
  await log.update()
  const results = log.results()
  const ids = new Set(log.entries().map(({ id }) => id))
  for (const [kind, id = ''] of lines) {
    if (kind === 'response') expect(ids).toContain(id)
    if (kind === 'end') expect(isLost(results.get(id) ?? fail(`No result of ${id}.`))).toBe(false)
    if (kind === 'run') expect(kept).not.toContain(id)
  }
  for (const id of results.keys()) kept.add(id)
  expectReproduced(log, proxy.bodies.slice(past.bodies), past.mode)
}

/** Every request that was sent follows from the log as it was then, to the byte; without folds also from the reference. */
function expectReproduced(log: ReadBack, bodies: readonly string[], mode: Mode): void {
  const results = log.results()
  const lost = new Set([...results].filter(([, result]) => isLost(result)).map(([id]) => id))
  let from = 0
  for (const body of bodies) {
    const { text, messages } = messagesOf(body)
    from = log.renderings().indexOf(text, from)
    expect(from).toBeGreaterThan(-1)
    if (mode === 'folding') continue
    expect(except(messages, lost)).toEqual(except(reference[turnsIn(messages)] ?? [], lost))
  }
}

function fail(message: string): never {
  throw new Error(message)
}

/** Lets one worker after the other work on a session, and kills all but the last; how many were killed. */
async function workThrough(id: string, mode: Mode, kills: number, random: (limit: number) => number): Promise<number> {
  const log = readBack(fileStore({ home: folder, project: PROJECT }), id)
  const past: Past = { mode, log, kept: new Set(), bodies: proxy.bodies.length }
  const parameters = [folder, PROJECT, id, proxy.url, SLOWNESS, mode]
  let killed = 0
  for (;;) {
    const worked = await runWorker(script, parameters, proxy, killed < kills ? killPoint(random) : undefined)
    await expectNothingLost(past, worked)
    past.bodies = proxy.bodies.length
    if (!worked.killedAt) {
      const answered = lastStop(log) === 'end_turn'
      expect([worked.errors, answered]).toEqual(['', true])
      expect(foldsIn(log) > 1).toBe(mode === 'folding')
      return killed
    }
    killed += 1
  }
}

function foldsIn(log: ReadBack): number {
  return log.entries().filter((entry) => entry.kind === 'edit' && entry.changes.some(({ kind }) => kind === 'fold'))
    .length
}

function lastStop(log: ReadBack): string | undefined {
  const answers = log.entries().filter((entry) => entry.kind === 'assistant')
  expect(answers.length).toBe(TURNS + 1)
  return answers.at(-1)?.stop
}

async function killAll(mode: Mode, kills: number): Promise<void> {
  const random = seeded(20_261_116)
  for (let killed = 0, number = 1; killed < kills; number++) {
    const some = Math.min(KILLS_OF_A_SESSION, kills - killed)
    killed += await workThrough(`${mode}-${number}`, mode, some, random)
  }
}

it('loses nothing, sends the same and runs nothing again, whenever a worker is killed', async () => {
  await killAll('plain', Math.ceil(KILLS / 2))
}, 1_200_000)

it('says what it said before when it is killed, also over folds and changed results', async () => {
  await killAll('folding', Math.floor(KILLS / 2))
}, 1_200_000)
