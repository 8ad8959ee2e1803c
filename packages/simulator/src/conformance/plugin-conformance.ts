import { FAULT_KINDS } from '../index.js'
import { seededRandom } from '../server/clock.js'
import {
  accepted,
  frozenPrefix,
  goesOn,
  lastPrompt,
  neverGrows,
  quietWhenOff,
  reports,
  sameRequests,
} from './checks.js'
import { makePlan, type Plan } from './conversation.js'
import { type Act, type Interruption, type Played, play } from './play.js'
import {
  CHECKS,
  type ConformanceOptions,
  type ConformanceReport,
  type Finding,
  type PluginLike,
  type Problem,
} from './types.js'

const RUNS = 4
const FAULTS_BY_RUN = FAULT_KINDS.length / RUNS
const EVENTS = ['turn-start', 'delta', 'response', 'tool-start', 'tool-end', 'usage']
/** Far from the seeds of the other plans. */
const NEIGHBOUR = 1_000_003

/** Runs a plugin through generated conversations over a socket, and finds what it does not hold. Throws nothing. */
export async function pluginConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { runs = RUNS, seed = 1 } = options
  const watched = { ...options, plugin: [options.plugin].flat().map(disposedTwice) }
  const findings: Finding[] = []
  let requests = 0
  for (let run = 0; run < runs; run++) {
    const done = await checkConversation(watched, seed + run)
    findings.push(...done.findings)
    requests += done.requests
    if (done.isHopeless) return { findings, runs: run + 1, requests }
  }
  return { findings, runs, requests }
}

async function checkConversation(options: ConformanceOptions & { plugin: readonly PluginLike[] }, seed: number) {
  const plan = makePlan(seed, options.calls ?? [])
  const owners = new Set(options.plugin.map(({ name, partOf }) => partOf ?? name))
  const names = new Set([...owners, ...options.plugin.map(({ name }) => name)])
  const required = (options.beside ?? []).flat()
  const plugins = [...required, ...options.plugin]
  const findings: Finding[] = []
  let requests = 0
  const note = ({ act }: Played, problems: readonly Problem[]) => {
    const [first] = problems
    // What is wrong once is wrong again and again: the first one is the one to look at.
    if (first) findings.push({ ...first, seed, play: act.name })
  }
  const playAndCheck = async (act: Omit<Act, 'plugins'> & Partial<Act>): Promise<Played> => {
    const played = await play(options, { plugins, ...act })
    requests += played.requests.length
    const isCalm = !act.fault && !act.interruption
    note(played, played.failure ? [played.failure] : [])
    for (const check of [accepted, lastPrompt, frozenPrefix, goesOn]) note(played, check(played))
    note(played, neverGrows(played, owners))
    for (const kind of ['disposes', 'hooks-hold'] as const) {
      note(
        played,
        reports(played, names, isCalm).filter(({ check }) => check === kind),
      )
    }
    return played
  }

  // Before the plugin has been set up once: what it leaves behind in the process must not be in it.
  const bare = await play(options, { name: 'without the plugin', plan, plugins: required })
  const calm = await playAndCheck({ name: 'calm', plan })
  // Where even that did not come to its end, every other play would say the same, and each might wait for long.
  if (calm.failure) return { findings, requests, isHopeless: true }
  const [beside] = await Promise.all([
    playAndCheck({ name: 'beside another', plan }),
    playAndCheck({ name: 'the other', plan: makePlan(seed + NEIGHBOUR, options.calls ?? []) }),
  ])
  note(beside, sameRequests('sessions-apart', calm, beside, { why: 'beside another session' }))
  const resumed = await playAndCheck({ name: 'resumed', plan, isResumed: true })
  note(resumed, sameRequests('resumes', calm, resumed, { aside: true, why: 'after a resume' }))
  const off = await playAndCheck({
    name: 'off',
    plan,
    flags: Object.fromEntries([...owners].map((owner) => [owner, false])),
  })
  note(off, sameRequests('off-adds-nothing', bare, off, { why: 'with the flag off' }))
  const switched = await playAndCheck({ name: 'switched off', plan, off: { plugins: owners, from: 2 } })
  note(switched, quietWhenOff(switched, owners))
  await playAndCheck({ name: 'interrupted', plan, interruption: interruptions(plan) })
  for (const fault of faultsOf(seed)) await playAndCheck({ name: `fault ${fault.kind}`, plan, fault })
  return { findings, requests, isHopeless: false }
}

/** A stop in every second step, anywhere. */
function interruptions({ seed }: Plan): (step: number) => Interruption | undefined {
  const random = seededRandom(seed)
  const all = Array.from({ length: 20 }, (): Interruption => {
    const event = EVENTS[Math.floor(random() * EVENTS.length)] as string
    return { event, count: 1 + Math.floor(random() * 3), by: random() < 0.5 ? 'signal' : 'leaving' }
  })
  return (step) => (step % 2 === 0 ? all[step] : undefined)
}

/** Each run has its share of the faults, so that a few runs in a row meet all of them. */
function faultsOf(seed: number) {
  const random = seededRandom(seed)
  const first = (seed % RUNS) * FAULTS_BY_RUN
  return FAULT_KINDS.slice(first, first + FAULTS_BY_RUN).map((kind) => ({ kind, at: Math.floor(random() * 6) }))
}

interface Disposable {
  dispose?(): unknown
}

/** The plugin itself, but for this: when a session disposes it, it is disposed twice. */
function disposedTwice(plugin: PluginLike): PluginLike {
  const setup = async (context: never) => {
    const contribution = (await plugin.setup(context)) as Disposable
    const dispose = async () => {
      await contribution.dispose?.()
      await contribution.dispose?.()
    }
    return { ...contribution, dispose }
  }
  return Object.create(plugin, { setup: { value: setup } }) as PluginLike
}

const SHOWN = 20

/** Throws with every finding of a report, or with the first ones of very many; does nothing where there is none. */
export function assertConforms({ findings, runs }: ConformanceReport): void {
  if (findings.length === 0) return
  const more = findings.length > SHOWN ? `\n… and ${findings.length - SHOWN} more` : ''
  const lines = findings.slice(0, SHOWN).map(lineOf).join('\n')
  throw new Error(`The plugin does not conform: ${findings.length} findings in ${runs} runs.\n${lines}${more}`)
}

function lineOf({ check, seed, play, step, detail }: Finding): string {
  return `- ${check} (${CHECKS[check]}): ${detail} [seed ${seed}, ${play}, step ${step}]`
}
