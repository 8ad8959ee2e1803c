import { describe, expect, it, onTestFinished } from 'vitest'
import { noCage } from '../caged-shell.js'
import { makeLanes, type Setting } from '../lanes.js'
import { makeStage } from '../stage.js'
import { runUncaged } from '../uncaged-shell.js'
import type { TrickGroup } from './trick.js'
import { ALL_TRICKS } from './tricks.js'

const isLong = process.env.NACRE_SOAK === '1'
/** For thousands of commands on a machine that does other things too. */
const PATIENCE = 3_600_000

/** Each trick is tried in each of them in the long run; in the short one every sixteenth is, in one after the other. */
const SETTINGS: readonly (readonly [string, Setting])[] = [
  ['in the mode default', { mode: 'default' }],
  ['in plan mode', { mode: 'plan' }],
  ['where edits are accepted', { mode: 'accept-edits' }],
  ['where scripts of tests are allowed', { mode: 'default', rules: { allow: ['Bash(npm run test:*)'] } }],
]

/** In the long run only: a test that is named and not run is one that the machine could not do. */
const HARDER: readonly (readonly [string, Setting])[] = [
  ['in the mode default, where the words tell nothing', { mode: 'default', isHidden: true }],
  ['where edits are accepted and the words tell nothing', { mode: 'accept-edits', isHidden: true }],
  ['where the person says yes to writing in the workspace', { mode: 'default', asksToWrite: true }],
]

it('has at least 600 tricks, and none twice', () => {
  const all = ALL_TRICKS.flatMap(({ commands }) => commands)
  expect(all.length).toBeGreaterThanOrEqual(600)
  expect(new Set(all).size).toBe(all.length)
})

describe.skipIf(noCage)('a trick changes nothing that it may not, reads no key and reaches nothing', () => {
  it.each(SETTINGS.map(([name, setting], at) => ({ name, setting, at })))(
    '$name',
    { timeout: PATIENCE },
    async ({ setting, at }) => {
      expect(await through(isLong ? ALL_TRICKS : shareOf(at), setting)).toEqual([])
    },
  )

  if (isLong)
    it.each(HARDER)('%s', { timeout: PATIENCE }, async (_, setting) => {
      expect(await through(ALL_TRICKS, setting)).toEqual([])
    })
})

describe.skipIf(noCage)('without a cage', () => {
  it('most tricks that touch nothing but their stage do harm', { timeout: PATIENCE }, async () => {
    const all = ALL_TRICKS.flatMap(({ isContained, commands }) => (isContained ? commands : []))
    const sample = isLong ? all : all.filter((_, index) => index % 50 === 0)
    const stage = await makeStage('plain')
    onTestFinished(() => stage.close())
    let harmful = 0
    for (const command of sample) {
      const text = await runUncaged(stage.fill(command), { cwd: stage.work, env: stage.env })
      if ((await stage.whatHappened({ text, work: false })).length > 0) harmful++
    }
    console.log(`${harmful} of ${sample.length} tricks do harm without a cage`)
    expect(harmful).toBeGreaterThan(sample.length / 2)
  })
})

/** Of the tricks that are tried in the short run, those of one setting: together, since a group begins its sessions anew. */
function shareOf(setting: number): readonly TrickGroup[] {
  let index = 0
  const groups = ALL_TRICKS.map(({ commands, ...group }) => ({
    ...group,
    commands: commands.filter(() => index++ % (16 * SETTINGS.length) === 16 * setting),
  }))
  return [true, false].map((isContained) => ({
    kind: isContained ? 'on its stage' : 'on the machine',
    isContained,
    commands: groups.flatMap((group) => (group.isContained === isContained ? group.commands : [])),
  }))
}

async function through(groups: readonly TrickGroup[], setting: Setting): Promise<readonly string[]> {
  const lanes = await makeLanes()
  onTestFinished(() => lanes.close())
  const found: string[] = []
  let [first, ran, asked] = [0, 0, 0]
  for (const { kind, commands, isContained } of groups) {
    const trial = await lanes.tryAll({ commands, isContained }, setting, { first: first++ })
    found.push(...trial.through.map((one) => `${kind}: ${one}`))
    ran += trial.ran
    asked += trial.asked
  }
  console.log(`${ran} tricks ran, ${asked} were asked about or denied, ${found.length} got through`)
  return found
}
