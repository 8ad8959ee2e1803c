import { assertConforms, CHECKS, type CheckName } from '@nacre/simulator/conformance'
import { afterEach, describe, expect, it } from 'vitest'
import type { Plugin } from '../../src/types/plugin.js'
import * as bad from './bad-plugins.js'
import { checkPlugin } from './check-plugin.js'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

const CASES: readonly (readonly [check: CheckName, plugin: Plugin, name: string, detail: RegExp])[] = [
  ['starts', bad.failsToStart, 'failsToStart', /no such folder/],
  ['accepted', bad.splitsPairs, 'splitsPairs', /400.*tool_use/],
  ['accepted', bad.inventsBlocks, 'inventsBlocks', /400/],
  ['last-prompt', bad.cutsPrompts, 'cutsPrompts', /without it/],
  ['frozen-prefix', bad.tellsTime, 'tellsTime', /no edit was made.*o'clock/],
  ['resumes', bad.editsInPlace, 'editsInPlace', /And hurry/],
  ['never-grows', bad.growsView, 'growsView', /\(replace\) adds \d+ tokens/],
  ['off-adds-nothing', bad.patchesFetch, 'patchesFetch', /with the flag off.*toil/],
  ['off-adds-nothing', bad.worksWhenOff, 'worksWhenOff', /switched off, and then wrote/],
  ['sessions-apart', bad.leaksState, 'leaksState', /beside another session.*of today/],
  ['goes-on', bad.staysLocked, 'staysLocked', /ended with 'blocked': One task at a time/],
  ['goes-on', bad.hangs, 'hangs', /did not end within/],
  ['disposes', bad.disposesOnce, 'disposesOnce', /could not be disposed/],
  ['resumes', bad.forgets, 'forgets', /after a resume.*of this session/],
  ['hooks-hold', bad.throwsInHooks, 'throwsInHooks', /no such file/],
]

/** Of a conversation with calls, results and a stop. */
const SEED = 2

describe('a plugin that does not hold its promises', () => {
  it.each(CASES.map(([check, plugin, name, detail]) => ({ check, plugin, name, detail })))(
    'is found by $check when it is $name',
    async ({ check, plugin, detail }) => {
      const report = await checkPlugin(plugin, { runs: 1, seed: SEED })
      const found = report.findings.filter((finding) => finding.check === check)
      expect(found.map((finding) => finding.detail).join('\n')).toMatch(detail)
      expect(() => assertConforms(report)).toThrow(CHECKS[check])
    },
    60_000,
  )

  it('is caught once at least by each check', () => {
    expect(new Set(CASES.map(([check]) => check))).toEqual(new Set(Object.keys(CHECKS)))
  })

  it('is found again by the seed of a finding alone, in the same words', async () => {
    const { findings } = await checkPlugin(bad.forgets, { runs: 2, seed: 11 })
    const last = findings.at(-1)
    const again = await checkPlugin(bad.forgets, { runs: 1, seed: last?.seed ?? 0 })
    expect(again.findings).toContainEqual(last)
    expect(again.findings).toEqual(findings.filter(({ seed }) => seed === last?.seed))
  })
})
