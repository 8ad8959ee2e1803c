import { expect, expectTypeOf, test } from 'vitest'
import { gateVerdicts, type HookName, hookKinds } from '../../src/types/hooks.js'

// Written out once more, so that a hook that core gets or loses has to be thought of here.
const collects = [
  'SessionStart',
  'PreCompact',
  'PostCompact',
  'CompactFailed',
  'InstructionsLoaded',
  'PostModelCall',
  'ViewChanged',
  'SubagentStart',
  'Notification',
  'SessionEnd',
] as const satisfies readonly HookName<'collect'>[]

test('every hook of core has its kind at run time', () => {
  const named = (kind: string) => Object.keys(hookKinds).filter((name) => hookKinds[name] === kind)
  expect(named('collect')).toEqual(collects)
  expectTypeOf<(typeof collects)[number]>().toEqualTypeOf<HookName<'collect'>>()
  expect(named('decide').toSorted()).toEqual(Object.keys(gateVerdicts).toSorted())
  expectTypeOf<HookName<'transform'>>().toEqualTypeOf<
    'PreparePrompt' | 'PreModelCall' | 'PrepareToolUse' | 'PostToolUse' | 'PostToolUseFailure'
  >()
  expect(named('transform')).toHaveLength(5)
})
