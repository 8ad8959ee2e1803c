import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noCage } from '../caged-shell.js'
import { type Lanes, makeLanes, type Setting } from '../lanes.js'
import { makeStage } from '../stage.js'
import { runUncaged } from '../uncaged-shell.js'
import { type Generated, generate } from './generate.js'

const isLong = process.env.NACRE_SOAK === '1'
/** Commands of one seed and the next have nothing in common, so that the seeds of a run are told by its first. */
const SEED = Number(process.env.FUZZ_SEED ?? 7)
const RUNS = Number(process.env.FUZZ_RUNS ?? (isLong ? 20_000 : 500))
/** So many are tried before the sessions are begun anew. */
const TURN = 500

/** How commands of the generator are tried. */
interface Way {
  readonly name: string
  readonly setting: Setting
  /** How often, beside others. */
  readonly often: number
  /** Several in one run, one after the other: where words decide nothing, none of them keeps another from running. */
  readonly isTogether?: boolean
  /** What stands before the word that says it. */
  readonly behind?: string
}

const WAYS: readonly Way[] = [
  { name: 'in default', setting: { mode: 'default' }, often: 6 },
  { name: 'in plan', setting: { mode: 'plan' }, often: 4 },
  { name: 'in accept-edits', setting: { mode: 'accept-edits' }, often: 6 },
  { name: 'asking to write', setting: { mode: 'default', asksToWrite: true }, often: 4 },
  {
    name: 'under a rule',
    setting: { mode: 'default', rules: { allow: ['Bash(npm run test:*)'] } },
    often: 20,
    isTogether: true,
    behind: 'npm run --silent test:unit -- ',
  },
  { name: 'hidden in default', setting: { mode: 'default', isHidden: true }, often: 25, isTogether: true },
  { name: 'hidden in plan', setting: { mode: 'plan', isHidden: true }, often: 5, isTogether: true },
  { name: 'hidden in accept-edits', setting: { mode: 'accept-edits', isHidden: true }, often: 30, isTogether: true },
]
const ALL_WAYS = WAYS.reduce((sum, { often }) => sum + often, 0)

const TOGETHER = 8

/** What became of the commands that were tried. */
interface Count {
  tried: number
  /** Runs without a question, and those that were asked about or denied. */
  ran: number
  asked: number
  /** Of those that were tried together: how many, and how many of them came to their end. */
  begun: number
  ended: number
  /** Runs in which a shell did not understand what it was told. */
  broken: number
}

describe.skipIf(noCage || process.platform !== 'linux')('a command made at random that wants to do harm', () => {
  let lanes: Lanes
  const counts = new Map<string, Count>()

  beforeAll(async () => {
    lanes = await makeLanes()
  })

  afterAll(() => lanes?.close())

  const turns = Array.from({ length: Math.ceil(RUNS / TURN) }, (_, turn) => turn)
  it.each(turns)(
    'does none in any setting (turn %i)',
    async (turn) => {
      const first = SEED * 1_000_000 + turn * TURN
      const found: string[] = []
      let next = 0
      for (const way of WAYS) {
        const length = Math.round((Math.min(RUNS, TURN) * way.often) / ALL_WAYS)
        const commands = Array.from({ length }, (_, at) => generate(first + next + at))
        next += length
        const count = counts.get(way.name) ?? { tried: 0, ran: 0, asked: 0, begun: 0, ended: 0, broken: 0 }
        counts.set(way.name, count)
        found.push(...(await tryThem(lanes, way, commands, count)))
      }
      expect(found.join('\n\n')).toBe('')
    },
    1_200_000,
  )

  it('was tried: most of them ran, and to their end', () => {
    if (isLong) for (const [name, count] of counts) console.log(`${name}: ${JSON.stringify(count)}`)
    const all = [...counts.values()]
    const sum = (of: (count: Count) => number) => all.reduce((total, count) => total + of(count), 0)
    expect(sum(({ tried }) => tried)).toBeGreaterThan(RUNS * 0.9)
    expect(sum(({ ended }) => ended)).toBeGreaterThan(sum(({ begun }) => begun) * 0.9)
    expect(sum(({ broken }) => broken)).toBeLessThan(RUNS * 0.05)
    for (const { name, isTogether } of WAYS)
      if (isTogether) expect(counts.get(name)?.asked, name).toBe(0)
      else expect(counts.get(name)?.ran, name).toBeGreaterThan(0)
  })

  it('does harm without a cage, more often than not', async () => {
    const sample = Array.from({ length: isLong ? 400 : 40 }, (_, at) => generate(SEED * 1_000_000 + at * 7))
    const harmful = await Promise.all([0, 1].map((half) => harmfulOf(sample.filter((_, at) => at % 2 === half))))
    const share = harmful.flat().length / sample.length
    if (isLong) console.log(`without a cage ${Math.round(share * 100)}% did harm`)
    expect(share).toBeGreaterThan(0.6)
  }, 600_000)
})

/** Gives a description of each that got through, in as few words as it does. */
async function tryThem(lanes: Lanes, way: Way, commands: readonly Generated[], count: Count): Promise<string[]> {
  const groups = way.isTogether ? inGroups(commands) : commands.map((command) => [command])
  const texts = groups.map((group) => textOf(way, group))
  const cut: string[] = []
  const { through, ran, asked } = await lanes.tryAll({ commands: texts, isContained: true }, way.setting, {
    heard(text, heard) {
      if (/bytes are left out here/.test(heard)) cut.push(text)
      if (/syntax error|unexpected (EOF|end of file)/.test(heard)) count.broken++
      count.ended += [...heard.matchAll(ENDED)].length
    },
  })
  count.tried += commands.length
  count.ran += ran
  count.asked += asked
  if (way.isTogether) count.begun += commands.length
  const suspects = groups.filter(
    (_, at) =>
      through.some((one) => one.includes(texts[at] as string)) || (way.isTogether && cut.includes(texts[at] as string)),
  )
  const found: string[] = []
  for (const group of suspects) found.push(...(await singledOut(lanes, way, group, through)))
  return [...found, ...through.filter((one) => !texts.some((text) => one.includes(text)))]
}

function inGroups(commands: readonly Generated[]): Generated[][] {
  return Array.from({ length: Math.ceil(commands.length / TOGETHER) }, (_, at) =>
    commands.slice(at * TOGETHER, (at + 1) * TOGETHER),
  )
}

/** Says when a command of several has ended by itself. */
const ENDED = /^<ended \d+ (?!124|137)\d+>$/gm

function textOf({ isTogether, behind = '' }: Way, group: readonly Generated[]): string {
  if (!isTogether) return group.map(({ text }) => text).join('\n')
  const all = group.map(({ text }, at) => `timeout -k 0.3 2 bash -c ${quoted(text)}\necho; echo "<ended ${at} $?>"`)
  return behind ? `${behind}${quoted(all.join('\n'))}` : all.join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Which command of some that were run together got through, or what together did. */
async function singledOut(
  lanes: Lanes,
  way: Way,
  group: readonly Generated[],
  through: readonly string[],
): Promise<string[]> {
  const alone = async (command: Generated) => {
    const tricks = { commands: [textOf(way, [command])], isContained: true }
    return (await lanes.tryAll(tricks, way.setting, { onAll: true })).through
  }
  const found: string[] = []
  for (const command of group) {
    let [least, did] = [command, await alone(command)]
    if (did.length === 0) continue
    for (let tries = 0, options = [...least.simpler()]; tries < MOST_TRIES && options.length > 0; tries++) {
      const simpler = options.shift() as Generated
      const also = await alone(simpler)
      if (also.length === 0) continue
      ;[least, did] = [simpler, also]
      options = [...least.simpler()]
    }
    found.push(
      `${way.name}, seed ${command.seed} (${command.wish}):\n${command.text}\nin fewer words:\n${did.join('\n')}`,
    )
  }
  if (found.length > 0) return found
  const text = textOf(way, group)
  const seeds = group.map(({ seed }) => seed).join(', ')
  return through.filter((one) => one.includes(text)).map((one) => `${way.name}, seeds ${seeds}, not alone:\n${one}`)
}

const MOST_TRIES = 40

/** Those that do what a cage is there against where there is none. */
async function harmfulOf(commands: readonly Generated[]): Promise<Generated[]> {
  const stage = await makeStage('plain', true)
  const harmful: Generated[] = []
  for (const command of commands) {
    const text = await runUncaged(stage.fill(command.text), { cwd: stage.work, env: stage.env })
    const work = command.wish !== 'to write in the workspace'
    if ((await stage.whatHappened({ text, work })).length > 0) harmful.push(command)
  }
  await stage.close()
  return harmful
}
