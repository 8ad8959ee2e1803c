import type { Json } from '../types/log.js'

/** How often a way of compacting has failed in a row while another helped, and how many climbs it still stays out of. */
interface Rest {
  readonly failures: number
  readonly left: number
}

/** Ways that have failed, by their names; kept in the log, so that a resume knows of them and a rewind takes them back. */
export type Rests = ReadonlyMap<string, Rest>

/** What became of a way in one climb. `rested`: it stayed out. */
export type WayEnd = 'worked' | 'failed' | 'rested'

/** So many failures in a row are no accident. */
const FIRST_REST = 2
const LONGEST_REST = 32

export function readRests(kept: Json | undefined): Rests {
  const found = Object.entries(Object(kept ?? {})).flatMap(([way, value]) => {
    const { failures, left } = Object(value) as { readonly [key: string]: unknown }
    return isCount(failures) && isCount(left) ? [[way, { failures, left }] as const] : []
  })
  return new Map(found)
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

export function isResting(rests: Rests, way: string): boolean {
  return (rests.get(way)?.left ?? 0) > 0
}

/** After a climb that another way has made room in. It rests for two climbs after two failures, for four after three. */
export function afterClimb(rests: Rests, ends: ReadonlyMap<string, WayEnd>): Rests {
  const after = new Map(rests)
  for (const [way, end] of ends) {
    const { failures = 0, left = 0 } = rests.get(way) ?? {}
    if (end === 'worked') after.delete(way)
    else if (end === 'rested') after.set(way, { failures, left: Math.max(0, left - 1) })
    else after.set(way, { failures: failures + 1, left: restFor(failures + 1) })
  }
  return after
}

function restFor(failures: number): number {
  return failures < FIRST_REST ? 0 : Math.min(2 ** (failures - 1), LONGEST_REST)
}

/** For people, when a way begins to rest. */
export function restNotice(way: string, { failures, left }: Rest, reason: string): string {
  return `Compacting by ${way} has failed ${failures} times in a row, and other ways made room: ${reason} It is left out of the next ${left} compactions unless nothing else helps. Compacting by hand tries it at once.`
}
