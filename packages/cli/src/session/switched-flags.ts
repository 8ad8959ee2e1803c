import type { LiveFlags } from '@nacre/core'

/** Flags that are switched while a session runs, above all other layers. */
export interface SwitchedFlags extends LiveFlags {
  /** `undefined` takes the switch back. */
  set(name: string, value: boolean | undefined): void
}

/** `first`: those that the command line has switched already. */
export function switchedFlags(first: Readonly<Record<string, boolean>> = {}): SwitchedFlags {
  const switched = new Map(Object.entries(first))
  return {
    read: (name) => switched.get(name),
    set(name, value) {
      if (value === undefined) switched.delete(name)
      else switched.set(name, value)
    },
  }
}
