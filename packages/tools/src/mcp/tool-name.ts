import { createHash } from 'node:crypto'

const LONGEST = 64
const HASH_LENGTH = 8

const LIKE_A_HASH = /_[0-9a-f]{8}$/

/**
 * The name of a server's tool or prompt for the model: `mcp__<server>__<tool>`. It depends on nothing but the two, and
 * two pairs never share one: where letters had to go, or could be read two ways, a hash of the pair stands at the end.
 */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${plain(server)}__${plain(tool)}`
  const isExact = plain(server) === server && plain(tool) === tool && !/__|_$/.test(server) && !LIKE_A_HASH.test(tool)
  if (isExact && name.length <= LONGEST) return name
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, HASH_LENGTH)
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_')
}
