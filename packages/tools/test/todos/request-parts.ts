import { expect } from 'vitest'

interface Body {
  readonly tools: readonly object[]
  readonly system: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: readonly object[] | string }[]
}

/** A request as the cache reads it, piece by piece, without its marks. */
export function requestParts(body: string): string[] {
  const { tools, system, messages } = JSON.parse(body, (key, value) =>
    key === 'cache_control' ? undefined : value,
  ) as Body
  const said = messages.flatMap(({ role, content }) =>
    [content].flat().map((block) => `${role} ${JSON.stringify(block)}`),
  )
  return [...[...tools, ...system].map((part) => JSON.stringify(part)), ...said]
}

/** Each request is the one before it and something more. */
export function expectExtensions(bodies: readonly string[]): void {
  expect(bodies.length).toBeGreaterThan(1)
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = requestParts(bodies[index] as string)
    expect(requestParts(body).slice(0, before.length)).toEqual(before)
  }
}

/** The words of a request that no request before it had. */
export function newParts(bodies: readonly string[], index: number): string {
  const before = requestParts(bodies[index - 1] as string)
  return requestParts(bodies[index] as string)
    .slice(before.length)
    .join('\n')
}
