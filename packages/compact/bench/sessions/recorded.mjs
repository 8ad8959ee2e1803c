import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toExchanges } from './exchanges.mjs'

/**
 * Sessions of other programs, by the shape they stand for: large results; many small results between much that is never
 * cleared; a short one.
 */
const FILES = [
  { name: 'large results', file: 'claude-code/258c7280-ae70-4798-800f-63464d01a85d.jsonl', read: claudeCode },
  { name: 'coding', file: 'pi/large-session.jsonl', read: pi },
  { name: 'short', file: 'swe/django__django-15629.traj.json', read: trajectory },
]

/**
 * The recorded sessions of a folder; `undefined` where one is missing.
 * @param {string | undefined} folder
 * @returns {import('./exchanges.mjs').Session[] | undefined}
 */
export function recordedSessions(folder) {
  if (folder === undefined || FILES.some(({ file }) => !existsSync(join(folder, file)))) return undefined
  return FILES.map(({ name, file, read }) => {
    const messages = read(readFileSync(join(folder, file), 'utf8'))
    return { name, origin: 'recorded', ...toExchanges(messages) }
  })
}

/** @param {string} text @returns {any[]} */
function linesOf(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}

/**
 * The main thread of a session of Claude Code. The summary of a compaction that it went through is left out: what stands
 * before and behind it is all there.
 * @param {string} text
 * @returns {import('./exchanges.mjs').Message[]}
 */
function claudeCode(text) {
  return linesOf(text)
    .filter(
      ({ message, isSidechain, isCompactSummary, isMeta }) => message && !(isSidechain || isCompactSummary || isMeta),
    )
    .map(({ message }) => message)
}

/** @param {string} text @returns {import('./exchanges.mjs').Message[]} */
function pi(text) {
  return linesOf(text)
    .filter(({ type }) => type === 'message')
    .map(({ message }) => {
      if (message.role === 'toolResult') return { role: 'user', content: [resultOf(message)] }
      const content = typeof message.content === 'string' ? message.content : message.content.map(toBlock)
      return { role: message.role, content }
    })
}

/** @param {any} block */
function toBlock(block) {
  const { type, id, name, arguments: input } = block
  return type === 'toolCall' ? { type: 'tool_use', id, name, input } : block
}

/** @param {any} message */
function resultOf({ toolCallId, content, isError }) {
  return { type: 'tool_result', tool_use_id: toolCallId, content, is_error: isError }
}

/**
 * A trajectory whose commands stand in the text of its answers: each becomes a call of Bash, and what is said to it
 * the result.
 * @param {string} text
 * @returns {import('./exchanges.mjs').Message[]}
 */
function trajectory(text) {
  const { messages } = JSON.parse(text)
  const said = messages.filter(({ role }) => role !== 'system')
  return said.map(({ role, content }, index) => {
    const id = `toolu_${Math.ceil(index / 2)}`
    if (role === 'user' && index > 0) return { role, content: [{ type: 'tool_result', tool_use_id: id, content }] }
    const [whole, command] = /```bash\n([\s\S]*?)\n```/.exec(content) ?? []
    if (role === 'user' || whole === undefined || index === said.length - 1) return { role, content }
    const call = { type: 'tool_use', id, name: 'Bash', input: { command } }
    return { role, content: [{ type: 'text', text: content.replace(whole, '').trim() || 'I go on.' }, call] }
  })
}
