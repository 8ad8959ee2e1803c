import { assertConforms } from '@nacre/simulator/conformance'
import { describe, expect, it } from 'vitest'
import { definePlugin } from '../../src/contract/plugin.js'
import { checkPlugin } from './check-plugin.js'
import { clearing, folding, noting } from './honest-plugins.js'

const idle = definePlugin({ name: 'idle', setup: () => ({}) })

describe('a plugin that holds its promises', () => {
  it.each([
    ['does nothing', idle],
    ['notes, and brings a tool and a section', noting],
    ['clears old results', clearing],
    ['folds', folding],
  ])('passes when it %s', async (_what, plugin) => {
    const started = performance.now()
    const report = await checkPlugin(plugin, { calls: plugin === noting ? [{ name: 'recall', input: {} }] : [] })
    console.log(plugin.name, report.requests, Math.round(performance.now() - started), report.findings.length)
    expect(() => assertConforms(report)).not.toThrow()
  }, 60_000)
})
