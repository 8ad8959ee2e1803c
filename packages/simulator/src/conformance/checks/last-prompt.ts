import type { Played, StagedRequest } from '../act.js'
import type { Problem } from '../finding.js'
import { itemsOf } from '../items.js'
import { mainRequests } from '../main-requests.js'

/** Looks for the prompt of a step in each of its requests, whole and in the words of the person. */
export function lastPrompt({ act, requests }: Played): readonly Problem[] {
  const missing = mainRequests(requests).filter((request) => {
    const step = act.plan.steps[request.step]
    return step?.kind === 'ask' && !userTexts(request).some((text) => text.includes(step.prompt))
  })
  return missing.map(({ step }) => ({ check: 'last-prompt', step, detail: 'a request is without it' }))
}

function userTexts(request: StagedRequest): readonly string[] {
  return itemsOf(request).flatMap(({ role, block }) =>
    role === 'user' && block.type === 'text' ? [String(block.text)] : [],
  )
}
