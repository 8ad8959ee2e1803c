import { InvalidArgumentError } from 'commander'

/** Flags as `name=on,other=off`. Whether they exist is known when the plugins are. */
export function parseFlagList(
  text: string,
  before: Readonly<Record<string, boolean>> = {},
): Readonly<Record<string, boolean>> {
  const pairs = text.split(',').map((pair) => /^\s*([\w.-]+)\s*=\s*(on|off)\s*$/.exec(pair))
  if (pairs.some((pair) => pair === null)) {
    throw new InvalidArgumentError('Expected name=on or name=off, separated by commas, as in compact.clear=off.')
  }
  return { ...before, ...Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] === 'on'])) }
}
