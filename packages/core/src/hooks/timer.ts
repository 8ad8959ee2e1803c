/** Calls `fire` once after that time, unless the returned function is called first. Tests pass their own. */
export type Timer = (milliseconds: number, fire: () => void) => () => void

export const realTimer: Timer = (milliseconds, fire) => {
  const handle = setTimeout(fire, milliseconds)
  return () => clearTimeout(handle)
}
