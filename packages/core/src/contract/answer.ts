export type Awaitable<T> = T | Promise<T>

/** An answer to a gate. */
export interface Verdict<V extends string> {
  readonly verdict: V
  readonly reason: string
}
