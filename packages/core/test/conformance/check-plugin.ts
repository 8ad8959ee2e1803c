import { type ConformanceOptions, type ConformanceReport, pluginConformance } from '@nacre/simulator/conformance'
import { type AnthropicModelOptions, anthropicModel } from '../../src/anthropic/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { Plugin } from '../../src/types/plugin.js'

/** Runs the kit on a plugin as an author would. */
export function checkPlugin(
  plugin: Plugin,
  options: Partial<ConformanceOptions> = {},
  adapter: Partial<AnthropicModelOptions> = {},
): Promise<ConformanceReport> {
  const model = (baseURL: string) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none', baseURL, ...adapter })
  return pluginConformance({ createSession, model, plugin, ...options })
}
