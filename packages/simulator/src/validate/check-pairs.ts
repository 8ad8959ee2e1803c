import { invalid } from '../api-error.js'
import { isServerResult } from './check-roles.js'
import { type Conversation, type Part, pathOf, type Turn } from './turns.js'

/** Every call has one result in the very next user turn, before anything else there; every result has its call. */
export function checkPairs({ turns, kinds }: Conversation): void {
  if (!hasPairs(kinds)) return
  const seen = new Set<string>()
  const lastAnswer = turns.findLastIndex((turn) => turn.role === 'assistant')
  turns.forEach((turn, index) => {
    if (turn.role === 'assistant') {
      checkCalls(turn, turns[index + 1], seen)
      checkServerResults(turn)
      checkServerCalls(turn, turns[index + 1], index === lastAnswer)
    }
    if (turn.role === 'user') checkResults(turn, turns[index - 1])
  })
}

function hasPairs(kinds: ReadonlySet<string>): boolean {
  for (const kind of kinds) if (kind.endsWith('tool_use') || kind.endsWith('tool_result')) return true
  return false
}

const idOf = (part: Part) => part.block.id as string
const resultIdOf = (part: Part) => part.block.tool_use_id as string
const isCall = (part: Part) => part.block.type === 'tool_use'
const isResult = (part: Part) => part.block.type === 'tool_result'

function checkCalls(turn: Turn, next: Turn | undefined, seen: Set<string>): void {
  const calls = turn.parts.filter(isCall)
  if (calls.length === 0) return
  for (const call of calls) {
    if (seen.has(idOf(call))) throw invalid(`${pathOf(call)}: \`tool_use\` ids must be unique`)
    seen.add(idOf(call))
  }
  const answered = new Set(next?.role === 'user' ? leadingResults(next).map(resultIdOf) : [])
  const open = calls.filter((call) => !answered.has(idOf(call)))
  const first = open[0]
  if (first) {
    throw invalid(
      `messages.${first.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.map(idOf).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
  }
}

/** A server tool's result stands behind its call, in the same turn. */
function checkServerResults(turn: Turn): void {
  const called = new Set<string>()
  for (const part of turn.parts) {
    const { type } = part.block
    if (type === 'server_tool_use') called.add(idOf(part))
    if (!isServerResult(type) || called.has(resultIdOf(part))) continue
    throw invalid(
      `${pathOf(part)}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${resultIdOf(part)}. Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`,
    )
  }
}

/** A server tool may still be at work at the very end, as long as nothing but results has come since. */
function checkServerCalls(turn: Turn, next: Turn | undefined, isLast: boolean): void {
  const answered = new Set(turn.parts.filter(({ block }) => isServerResult(block.type)).map(resultIdOf))
  const open = turn.parts.find(({ block }) => block.type === 'server_tool_use' && !answered.has(block.id as string))
  if (!open || (isLast && (next?.parts.every(isResult) ?? true))) return
  const { name, id } = open.block
  throw invalid(
    `${pathOf(open)}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`${resultTypeOf(name as string)}\` block`,
  )
}

/** Both kinds of tool search have results of one type. */
function resultTypeOf(name: string): string {
  return name.startsWith('tool_search_tool') ? 'tool_search_tool_result' : `${name}_tool_result`
}

function leadingResults(turn: Turn): readonly Part[] {
  const end = turn.parts.findIndex((part) => !isResult(part))
  return end === -1 ? turn.parts : turn.parts.slice(0, end)
}

function checkResults(turn: Turn, before: Turn | undefined): void {
  const calls = new Set(before?.role === 'assistant' ? before.parts.filter(isCall).map(idOf) : [])
  const answered = new Set<string>()
  for (const part of turn.parts) {
    if (!isResult(part)) continue
    const id = resultIdOf(part)
    if (!calls.has(id)) {
      throw invalid(
        `${pathOf(part)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
    if (answered.has(id)) {
      throw invalid(
        `${pathOf(part)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      )
    }
    answered.add(id)
  }
}
