import { FAULT_KINDS } from '../faults.js'
import { seededRandom } from '../random.js'
import type { Act, Interruption, Played } from './act.js'
import { accepted } from './checks/accepted.js'
import { frozenPrefix } from './checks/frozen-prefix.js'
import { goesOn } from './checks/goes-on.js'
import { lastPrompt } from './checks/last-prompt.js'
import { neverGrows } from './checks/never-grows.js'
import { quietWhenOff } from './checks/quiet-when-off.js'
import { reports } from './checks/reports.js'
import { sameRequests } from './checks/same-requests.js'
import type { ConformanceReport, Finding, Problem } from './finding.js'
import type { ConformanceOptions } from './kit.js'
import { makePlan, type Plan } from './plan.js'
import { play } from './play.js'
import { watchedPlugin } from './watched-plugin.js'

const RUNS = 4
const FAULTS_BY_RUN = FAULT_KINDS.length / RUNS
const EVENTS = ['turn-start', 'delta', 'response', 'tool-start', 'tool-end', 'usage']
/** Far from the seeds of the other plans. */
const NEIGHBOUR = 1_000_003

/** Runs a plugin through generated conversations over a socket, and finds what it does not hold. Throws nothing. */
export async function pluginConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { runs = RUNS, seed = 1 } = options
  const kit = { ...options, plugin: watchedPlugin(options.plugin) }
  const findings: Finding[] = []
  let requests = 0
  for (let run = 0; run < runs; run++) {
    const done = await conversation(kit, seed + run)
    findings.push(...done.findings)
    requests += done.requests
    if (done.isHopeless) return { findings, runs: run + 1, requests }
  }
  return { findings, runs, requests }
}

async function conversation(kit: ConformanceOptions, seed: number) {
  const plan = makePlan(seed, kit.calls ?? [])
  const { name } = kit.plugin
  const required = kit.beside ?? []
  const plugins = [...required, kit.plugin]
  const findings: Finding[] = []
  let requests = 0
  const note = ({ act }: Played, problems: readonly Problem[]) => {
    const [first] = problems
    // What is wrong once is wrong again and again: the first one is the one to look at.
    if (first) findings.push({ ...first, seed, play: act.name })
  }
  const stage = async (act: Omit<Act, 'plugins'> & Partial<Act>): Promise<Played> => {
    const played = await play(kit, { plugins, ...act })
    requests += played.requests.length
    const isCalm = !act.fault && !act.interruption
    note(played, played.failure ? [played.failure] : [])
    for (const check of [accepted, lastPrompt, frozenPrefix, goesOn]) note(played, check(played))
    note(played, neverGrows(played, name))
    for (const kind of ['disposes', 'hooks-hold'] as const) {
      note(
        played,
        reports(played, name, isCalm).filter(({ check }) => check === kind),
      )
    }
    return played
  }

  // Before the plugin has been set up once: what it leaves behind in the process must not be in it.
  const bare = await play(kit, { name: 'without the plugin', plan, plugins: required })
  const calm = await stage({ name: 'calm', plan })
  // Where even that did not come to its end, every other play would say the same, and each might wait for long.
  if (calm.failure) return { findings, requests, isHopeless: true }
  const [beside] = await Promise.all([
    stage({ name: 'beside another', plan }),
    stage({ name: 'the other', plan: makePlan(seed + NEIGHBOUR, kit.calls ?? []) }),
  ])
  note(beside, sameRequests('sessions-apart', calm, beside, { why: 'beside another session' }))
  const resumed = await stage({ name: 'resumed', plan, isResumed: true })
  note(resumed, sameRequests('resumes', calm, resumed, { aside: true, why: 'after a resume' }))
  const off = await stage({ name: 'off', plan, flags: { [name]: false } })
  note(off, sameRequests('off-adds-nothing', bare, off, { why: 'with the flag off' }))
  const switched = await stage({ name: 'switched off', plan, off: { plugin: name, from: 2 } })
  note(switched, quietWhenOff(switched, name))
  await stage({ name: 'interrupted', plan, interruption: interruptions(plan) })
  for (const fault of faultsOf(seed)) await stage({ name: `fault ${fault.kind}`, plan, fault })
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
