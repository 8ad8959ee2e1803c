/** A flag as the layers below a live provider have it. */
export interface KnownFlag {
  readonly name: string
  readonly value: boolean
}

/** Flags that change while a session runs; stands above all other layers. */
export interface LiveFlags {
  /** Asked at each use, so it answers at once from what it has; `undefined` = no opinion. */
  read(name: string): boolean | undefined
  /** Called at the start of the session, where it is awaited, and at each turn, where it is not. Must not reject. */
  refresh?(known: readonly KnownFlag[]): Promise<void>
}
