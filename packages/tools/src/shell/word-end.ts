import { constants } from 'node:os'
import type { ProcessEnd } from './start-process.js'

const SIGNALS = Object.entries(constants.signals)

/** How a shell ended, in words. A shell gives 128 and the number of the signal that ended its last command. */
export function wordEnd({ code, signal }: ProcessEnd): string {
  if (signal) return `ended by ${signal}`
  const [name] = SIGNALS.find(([, number]) => code === 128 + number) ?? []
  return name ? `exit code ${code}, as after ${name}` : `exit code ${code}`
}

/** A time for people. */
export function wordTime(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`
}
