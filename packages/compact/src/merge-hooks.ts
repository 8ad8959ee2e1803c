import type { CallFields, Handler, Hooks } from '@nacre/core'

/**
 * The hooks of several layers as those of one plugin. Call fields pass from layer to layer, and changes of the view are
 * told to each; no other hook has two.
 */
export function mergeHooks(all: readonly Hooks[]): Hooks {
  const calls = all.flatMap(({ PreModelCall }) => (typeof PreModelCall === 'function' ? [PreModelCall] : []))
  const changes = all.flatMap(({ ViewChanged }) => (typeof ViewChanged === 'function' ? [ViewChanged] : []))
  const merged: Hooks = Object.assign({}, ...all)
  return {
    ...merged,
    ...(calls.length > 1 && { PreModelCall: chain(calls) }),
    ...(changes.length > 1 && { ViewChanged: tellEach(changes) }),
  }
}

function chain(handlers: readonly Handler<'PreModelCall'>[]): Handler<'PreModelCall'> {
  return async (event, context) => {
    let value: CallFields = event.value
    for (const handler of handlers) value = (await handler({ ...event, value }, context)) ?? value
    return value
  }
}

function tellEach(handlers: readonly Handler<'ViewChanged'>[]): Handler<'ViewChanged'> {
  return async (event, context) => {
    for (const handler of handlers) await handler(event, context)
  }
}
