import { createSession, type SessionStore } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'

/** Small enough for the conversations of the kit to meet every one of them. */
const limits = { result: 4_000, message: 9_000, preview: 900 }

await pluginContract('toolResultStorage', { create: () => toolResultStorage({ limits }) })

/** The kit's store numbers all blobs, also those that core keeps when it finds the cache cold: names must not tell. */
function withOwnNames(store: SessionStore): SessionStore {
  const blobs = new Map<string, string>()
  return {
    ...store,
    async put(name, data) {
      const kept = await store.put(name, data)
      blobs.set(name, kept.blob)
      return { ...kept, blob: name }
    },
    get: (blob, range) => store.get(blobs.get(blob) ?? blob, range),
  }
}

it('conforms, with results that are put away in every conversation', async () => {
  let stored = 0
  const plugin = toolResultStorage({ limits })
  const setup: typeof plugin.setup = async (context) => {
    const { hooks, ...rest } = await plugin.setup({ ...context, store: withOwnNames(context.store) })
    const ViewChanged = ({ edit }: { readonly edit: { readonly owner: string } }) => {
      if (edit.owner === plugin.name) stored += 1
    }
    return { ...rest, hooks: { ...hooks, ViewChanged } }
  }
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none', baseURL }),
    plugin: { ...plugin, setup },
    calls: [{ name: 'ReadResult', input: { name: 'tool-results-none' } }],
    runs: 2,
    seed: 1,
  })
  assertConforms(report)
  expect(report.findings).toEqual([])
  expect(stored).toBeGreaterThan(10)
})
