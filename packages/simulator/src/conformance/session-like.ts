/** What the kit reads of an entry of a session's log. The simulator knows no other package, so it says this itself. */
export interface EntryLike {
  readonly id: string
  readonly kind: string
  readonly owner?: string
  readonly key?: string
  readonly value?: unknown
  readonly content?: readonly BlockLike[]
  readonly changes?: readonly ChangeLike[]
  readonly price?: { readonly freed: number }
}

export interface BlockLike {
  readonly type: string
  readonly [field: string]: unknown
}

/** One change of an edit, with the fields of all its kinds. */
export interface ChangeLike {
  readonly kind: string
  readonly target?: { readonly entry: string; readonly block: number }
  readonly content?: readonly BlockLike[]
  readonly span?: { readonly from: string; readonly to: string }
  readonly note?:
    | string
    | { readonly text: string; readonly inside?: { readonly entry: string; readonly block: number } }
  readonly epoch?: unknown
  readonly edit?: string
}

export interface EventLike {
  readonly type: string
}

/** What the kit asks of a session. */
export interface SessionLike {
  readonly id: string
  query(prompt?: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<EventLike>
  compact(): Promise<unknown>
  undo(): Promise<unknown>
  close(): Promise<void>
}

/** A plugin as the kit sees it: a name, and a setup that is the session's to call. */
export interface PluginLike {
  readonly name: string
  setup(context: never): unknown
}

/** `createSession` of the runtime. The kit calls it with options of its own making, which it can't name the types of. */
export type CreateSession = (options: never) => Promise<SessionLike>
