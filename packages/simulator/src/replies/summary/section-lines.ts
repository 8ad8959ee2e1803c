import { brief } from './brief.js'
import { filesTouched } from './files-touched.js'
import type { Material } from './material.js'
import type { SectionKind } from './section-kind.js'

const LINE = 240
const QUOTE = 600
const LAST_REQUESTS = 3
const LAST_TEXTS = 3
const LAST_CALLS = 4

/** What there is to say in a section, the most recent last. */
export function sectionLines(kind: SectionKind, material: Material): readonly string[] {
  const carried = material.carried.get(kind) ?? []
  switch (kind) {
    case 'messages':
      return material.said
    case 'files':
      return files(material, carried)
    case 'errors':
      return [...carried, ...material.errors]
    case 'pending':
      return pending(material)
    case 'intent':
      return intent(material, carried)
    case 'concepts':
      return [...carried.filter((line) => !line.startsWith(TOOLS)), ...concepts(material)]
    case 'solving':
    case 'completed':
      return [...carried, ...material.told.slice(0, -1).map((words) => brief(words, LINE))]
    case 'current':
      return [...lastTexts(material), ...lastCalls(material)]
    case 'next':
      return next(material)
    default:
      return [...lastTexts(material), ...next(material)]
  }
}

/** What was asked for first outlives what was asked for since. */
function intent({ said }: Material, carried: readonly string[]): readonly string[] {
  const [first = said[0], ...others] = carried
  const recent = [...others, ...said].slice(-LAST_REQUESTS)
  return [...(first ? [first] : []), ...recent].map((words) => brief(words, LINE))
}

function files({ calls }: Material, carried: readonly string[]): readonly string[] {
  const touched = filesTouched(calls)
  const others = carried.filter((line) => !touched.has(line.split(' (')[0] as string))
  return [...others, ...[...touched].map(([path, uses]) => `${path} (${uses})`)]
}

const TOOLS = 'Tools used: '

function concepts({ calls }: Material): readonly string[] {
  const names = [...new Set(calls.map(({ name }) => name))]
  const endings = [...filesTouched(calls).keys()].flatMap((path) => /\.(\w{1,8})$/.exec(path)?.[1] ?? [])
  return [
    ...(names.length > 0 ? [`${TOOLS}${names.join(', ')}`] : []),
    ...(endings.length > 0 ? [`Kinds of files: ${[...new Set(endings)].join(', ')}`] : []),
  ]
}

function pending({ open, said, isAsked }: Material): readonly string[] {
  const last = said.at(-1)
  return [...open, ...(isAsked && last ? [`Not answered to the end yet: "${brief(last, QUOTE)}"`] : [])]
}

function lastTexts({ told }: Material): readonly string[] {
  return told.slice(-LAST_TEXTS).map((words) => brief(words, QUOTE))
}

function lastCalls({ calls }: Material): readonly string[] {
  return calls.slice(-LAST_CALLS).map(({ name, input }) => `Called ${name} ${brief(JSON.stringify(input) ?? '', LINE)}`)
}

function next({ said, told }: Material): readonly string[] {
  const [asked, answered] = [said.at(-1), told.at(-1)]
  return [
    ...(asked ? [`The person's last words: "${brief(asked, QUOTE)}"`] : []),
    ...(answered ? [`The last answer: "${brief(answered, QUOTE)}"`] : []),
  ]
}
