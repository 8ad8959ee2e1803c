import { createSession, type SessionOptions } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { assertConforms, type ConformanceOptions, pluginConformance } from '@nacre/simulator/conformance'

/** Runs a plugin through the conformance kit. A call's input may be anything that its schema takes. */
export async function expectConforms(
  plugin: ConformanceOptions['plugin'],
  calls: readonly { readonly name: string; readonly input: object }[],
  over: Partial<SessionOptions> = {},
): Promise<void> {
  const report = await pluginConformance({
    createSession: (options: SessionOptions) => createSession({ ...options, ...over }),
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    plugin,
    calls: calls as ConformanceOptions['calls'] & object,
    runs: 2,
  })
  assertConforms(report)
}
