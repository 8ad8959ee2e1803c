import type { Collect, View } from '@nacre/core'

declare module '@nacre/core' {
  interface HookMap {
    /** Before minutes are written; an answer is something that they should mention. */
    PreMinutes: Collect<{ readonly view: View }, { readonly mention: string }>
  }
}
