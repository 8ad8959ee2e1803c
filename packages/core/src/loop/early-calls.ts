import type { ToolCall } from '../contract/tool.js'
import type { Block } from '../log/entry.js'
import type { Agent } from './agent.js'
import { callsOf } from './calls-of.js'
import { judgeAndRun, type Outcome } from './run-call.js'

/** Calls that began while the answer was still being written. */
export interface EarlyCalls {
  /** Starts a call if it, and all before it, only read and mind no company. */
  consider(block: Block): void
  /** The answer is not kept. What it had begun is kept for the same call in the next one: nothing runs twice. */
  breakOff(): void
  take(id: string): Promise<Outcome> | undefined
}

export function earlyCalls(agent: Agent): EarlyCalls {
  const begun = new Map<string, { readonly key: string; readonly outcome: Promise<Outcome> }>()
  const left = new Map<string, Promise<Outcome>[]>()
  /** Whether a call has come that has to wait: what stands behind it may have to see what it does. */
  let isHeld = false
  return {
    consider(block) {
      const [call] = callsOf([block])
      if (!call) return
      isHeld ||= !mayStartEarly(agent, call)
      if (isHeld) return
      const key = `${call.name}\0${JSON.stringify(call.input)}`
      begun.set(call.id, { key, outcome: left.get(key)?.pop() ?? judgeAndRun(agent, call) })
    },
    breakOff() {
      for (const { key, outcome } of begun.values()) left.set(key, [...(left.get(key) ?? []), outcome])
      begun.clear()
      isHeld = false
    },
    take: (id) => begun.get(id)?.outcome,
  }
}

function mayStartEarly(agent: Agent, { name, input }: ToolCall): boolean {
  const tool = agent.tool(name)
  if (!tool) return false
  try {
    const parsed = tool.schema.parse(input)
    return tool.isReadOnly(parsed) && tool.isConcurrencySafe(parsed)
  } catch {
    return false
  }
}
