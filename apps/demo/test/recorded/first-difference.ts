import { isDeepStrictEqual } from 'node:util'

const SHOWN = 120

/** The first place at which two requests differ, for whoever has to find out why; `undefined` where none does. */
export function firstDifference(body: string, recorded: string): string | undefined {
  if (body === recorded) return undefined
  const place = recorded === '' ? undefined : placeOf(JSON.parse(body), JSON.parse(recorded), 'body')
  if (place) return place
  return `body: ${around(body, recorded)}`
}

function placeOf(now: unknown, then: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(now, then)) return undefined
  if (!isBag(now) || !isBag(then)) return `${path}: ${around(wordsOf(now), wordsOf(then))}`
  for (const key of new Set([...Object.keys(now), ...Object.keys(then)])) {
    const place = placeOf(now[key], then[key], Array.isArray(now) ? `${path}[${key}]` : `${path}.${key}`)
    if (place) return place
  }
  return undefined
}

function isBag(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function around(now: string, then: string): string {
  let same = 0
  while (same < now.length && now[same] === then[same]) same += 1
  const start = Math.max(0, same - SHOWN / 2)
  const [is, was] = [now, then].map((text) => JSON.stringify(text.slice(start, start + SHOWN)))
  return `is ${is}, was ${was}`
}
