import type { CallFields, Handler, Hooks } from '@nacre/core'

/** The hooks of several layers as those of one plugin. Call fields pass from layer to layer; no other hook has two. */
export function mergeHooks(all: readonly Hooks[]): Hooks {
  const handlers = all.flatMap(({ PreModelCall }) => (typeof PreModelCall === 'function' ? [PreModelCall] : []))
  const merged: Hooks = Object.assign({}, ...all)
  return handlers.length > 1 ? { ...merged, PreModelCall: chain(handlers) } : merged
}

function chain(handlers: readonly Handler<'PreModelCall'>[]): Handler<'PreModelCall'> {
  return async (event, context) => {
    let value: CallFields = event.value
    for (const handler of handlers) value = (await handler({ ...event, value }, context)) ?? value
    return value
  }
}
