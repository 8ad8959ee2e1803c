import { expectTypeOf, test } from 'vitest'
import type { Dispatcher, HookName } from '../../src/types/hooks.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { ToolCall, ToolResult } from '../../src/types/tool.js'

// Never called: the compiler is the test.
const typesOnly = (_check: (hooks: Dispatcher, call: ToolCall) => unknown) => {}

test('each method of the dispatcher takes only hooks of its kind', () => {
  typesOnly((hooks) => {
    // @ts-expect-error Stop is a gate
    void hooks.collect('Stop', {} as never)
    // @ts-expect-error SessionStart only tells
    void hooks.transform('SessionStart', { source: 'startup' })
    // @ts-expect-error PostToolUse is a transform
    void hooks.decide('PostToolUse', {} as never, [])
    // @ts-expect-error there is no such hook
    void hooks.collect('PreCompct', {} as never)
  })
})

test('events, answers and verdicts are those of the hook', () => {
  typesOnly((hooks, call) => {
    // @ts-expect-error the source is not one of SessionStart's
    void hooks.collect('SessionStart', { source: 'reboot' })
    // @ts-expect-error Stop knows only continue
    void hooks.decide('Stop', {} as never, ['deny'])
    expectTypeOf(hooks.transform('PostToolUse', {} as never)).resolves.toEqualTypeOf<{
      readonly value: ToolResult
      readonly changes: readonly { readonly owner: string; readonly value: ToolResult }[]
    }>()
    const decided = hooks.decide('PermissionRequest', { call, reason: '' })
    expectTypeOf(decided).resolves.exclude<undefined>().toHaveProperty('verdict').toEqualTypeOf<'deny' | 'allow'>()
  })
  expectTypeOf<HookName<'decide'>>().toEqualTypeOf<
    'UserPromptSubmit' | 'PreToolUse' | 'PermissionRequest' | 'SubagentStop' | 'Stop'
  >()
})

test('a plugin can not answer out of turn, nor read a flag it does not have', () => {
  definePlugin({
    name: 'a',
    flags: { part: true },
    setup: ({ flag }) => {
      flag('part')
      // @ts-expect-error a slip of the pen
      flag('prat')
      return {}
    },
  })
  // @ts-expect-error a gate takes verdicts
  definePlugin({ name: 'b', setup: () => ({ hooks: { PreToolUse: () => ({ deny: true }) } }) })
})
