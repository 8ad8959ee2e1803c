import { describe, it } from 'vitest'
import { flagRules } from './plugin-contract/flag-rules.js'
import { lifeRules } from './plugin-contract/life-rules.js'
import { partRules } from './plugin-contract/part-rules.js'
import type { PluginUnderTest } from './plugin-contract/plugin-under-test.js'
import { sessionRules } from './plugin-contract/session-rules.js'

/** What every plugin promises to a session, as far as that shows without a server. Call it in a vitest file. */
export function pluginContract(label: string, plugin: PluginUnderTest): void {
  describe(`${label} keeps the contract of a plugin`, () => {
    for (const { name, check } of RULES) it(name, () => check(plugin))
  })
}

const RULES = [...lifeRules, ...flagRules, ...partRules, ...sessionRules]
