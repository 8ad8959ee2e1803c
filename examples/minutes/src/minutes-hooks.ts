import type { Collect, View } from '@nacre/core'

/** Something that the next minutes should mention. */
export interface Mention {
  readonly mention: string
}

declare module '@nacre/core' {
  interface HookMap {
    /** Before minutes are written. */
    PreMinutes: Collect<{ readonly view: View }, Mention>
  }
}
