import { estimateText, type Restored, type RestoreEvent, type Restorer, type View } from '@nacre/core'
import { keptRounds } from '../kept-rounds.js'
import { firstTokens } from './first-tokens.js'
import { type Invoked, readInvoked, SKILL_TOKENS, textOfInvoked } from './invoked-skills.js'

const ALL_TOKENS = 25_000

/** Brings back what was loaded, the newest first, as it was loaded. Never as something to be done: that call is over. */
export const skillRestorer: Restorer = {
  name: 'skills',
  restore(event) {
    const kept = callsKept(event)
    let left = Math.min(ALL_TOKENS, event.budget)
    const one = Math.min(SKILL_TOKENS, Math.floor(left / 2))
    return readInvoked(event.view)
      .toReversed()
      .flatMap((invoked) => {
        const restored = kept.has(invoked.call) ? undefined : quoted(event.view, invoked, one)
        const tokens = restored ? estimateText(restored.text) : 0
        if (!restored || tokens > left) return []
        left -= tokens
        return [restored]
      })
  },
}

const FRAME_TOKENS = 120

function quoted(view: View, invoked: Invoked, tokens: number): Restored | undefined {
  const { name, folder } = invoked
  const text = textOfInvoked(view, invoked)
  if (text === undefined) return undefined
  const quote = firstTokens(text, Math.max(0, tokens - FRAME_TOKENS)).replaceAll('</skill-text', '<\\/skill-text')
  const frame = [
    `The skill ${name} was loaded earlier in this session, and that call is over.`,
    `This is a quotation of its text as it was then, without the arguments of the call. Its folder: ${folder}`,
  ]
  const quotation = ['<skill-text>', quote, '</skill-text>']
  return { what: `skill ${name}`, text: [...frame, ...quotation].join('\n'), status: 'reference' }
}

/** The calls whose results stay in view, since they are not in the part that is folded. */
function callsKept(event: RestoreEvent): ReadonlySet<string> {
  const blocks = keptRounds(event).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return new Set(blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [String(tool_use_id)] : [])))
}
