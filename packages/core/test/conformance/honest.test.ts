import { assertConforms } from '@nacre/simulator/conformance'
import { describe, expect, it } from 'vitest'
import type { AnthropicModelOptions } from '../../src/anthropic/index.js'
import type { HookEvent } from '../../src/types/hooks.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import { folding } from '../relief/folding.js'
import { checkPlugin } from './check-plugin.js'
import { clearing, noting } from './honest-plugins.js'

const idle = definePlugin({ name: 'idle', setup: () => ({}) })
const thinking = { thinking: { type: 'adaptive' } } as const

interface Case {
  readonly what: string
  readonly plugin: Plugin
  readonly runs: number
  readonly adapter?: Partial<AnthropicModelOptions>
}

const CASES: readonly Case[] = [
  { what: 'does nothing', plugin: idle, runs: 1 },
  { what: 'notes, and brings a tool and a section', plugin: noting as Plugin, runs: 4 },
  { what: 'clears old results', plugin: clearing, runs: 3 },
  { what: 'folds', plugin: folding, runs: 3 },
  { what: 'clears what stands before bound thinking', plugin: clearing, runs: 2, adapter: thinking },
]

describe('a plugin that holds its promises', () => {
  it.each(CASES)(
    'passes: it $what',
    async ({ plugin, runs, adapter }) => {
      const calls = plugin.name === 'noting' ? [{ name: 'recall', input: {} }] : []
      const { watched, edits } = counting(plugin)
      const report = await checkPlugin(watched, { calls, runs, seed: 1 }, adapter)
      assertConforms(report)
      expect(report.findings).toEqual([])
      expect(report.requests).toBeGreaterThan(30 * runs)
      // A relief that is never taken would pass whatever it does.
      if (plugin === clearing || plugin === folding) expect(edits()).toBeGreaterThan(0)
    },
    60_000,
  )
})

/** The plugin, and how many of its edits were accepted by the arbiter. */
function counting(plugin: Plugin): { readonly watched: Plugin; edits(): number } {
  let edits = 0
  const count = ({ edit }: HookEvent<'ViewChanged'>) => {
    if (edit.owner === plugin.name) edits += 1
  }
  const setup: Plugin['setup'] = async (context) => {
    const { hooks, ...rest } = await plugin.setup(context)
    return { ...rest, hooks: { ...hooks, ViewChanged: count } }
  }
  return { watched: { ...plugin, setup }, edits: () => edits }
}
