import type { AssistantEntry, Entry } from '@nacre/core'
import { firstEpoch, startReplay } from '../replay.js'
import type { Checked } from './checked.js'

/** Whether the log renders, at each response, to the request that the response was given to. */
export function checkPrefixes(entries: readonly Entry[]): Checked {
  const responses = entries.filter((entry): entry is AssistantEntry => entry.kind === 'assistant')
  const known = responses.filter(({ prefix }) => prefix !== '')
  if (known.length === 0) return { name: 'requests', detail: 'none whose bytes are known', problems: [] }
  if (!firstEpoch(entries)) {
    const detail = `not checked: the log does not say what system and tools it began with`
    return { name: 'requests', detail, problems: [] }
  }
  const models = [...new Set(known.map(({ model }) => model))]
  const problems = models.flatMap((model) => problemsFor(model, entries))
  const detail = `${known.length - problems.length} of ${known.length} render to the bytes that were sent`
  return { name: 'requests', detail, problems }
}

/** One walk for each model, since models differ in what they are sent. */
function problemsFor(model: string, entries: readonly Entry[]): readonly string[] {
  const replay = startReplay(entries, model)
  const problems: string[] = []
  // Something may have come into the log while the model was answering: any rendering since the last answer may be it.
  let since = new Set<string>()
  for (const entry of entries) {
    since.add(replay.rendering().prefix)
    if (entry.kind === 'assistant') {
      if (entry.model === model && entry.prefix !== '' && !since.has(entry.prefix)) {
        problems.push(`response ${entry.id}: what renders now is not what was sent then`)
      }
      since = new Set()
    }
    replay.restore(entry)
  }
  return problems
}
