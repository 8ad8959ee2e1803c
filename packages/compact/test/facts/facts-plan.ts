import type { Fact } from './fact.js'
import { type Random, random } from './random.js'

/** One call of the model, with what it says before it and what comes back. */
interface Step {
  readonly says: string
  readonly tool: 'Read' | 'Bash'
  readonly input: Readonly<Record<string, string>>
  readonly result: string
}

export interface Part {
  readonly prompt: string
  readonly steps: readonly Step[]
  readonly answer: string
}

interface Places {
  readonly prompts: string[]
  readonly results: string[]
  readonly says: string[]
  readonly inputs: string[]
}

const PHASES = 3
const PARTS = 5
const STEPS = 8

/**
 * The work of a session in phases: each fact stands in one of them, where the seed puts it, and about half of them come
 * up again later in the same phase. All around is noise that is full of names too, as the results of tools are.
 */
export function factsPlan(facts: readonly Fact[], seed: number, tokens: number): readonly (readonly Part[])[] {
  const chance = random(seed + 1_000)
  const size = Math.ceil(facts.length / PHASES)
  return Array.from({ length: PHASES }, (_, phase) => {
    const here = facts.slice(phase * size, (phase + 1) * size)
    const places = Array.from({ length: PARTS }, (): Places[] => [])
    const steps = places.flatMap((part) => Array.from({ length: STEPS }, () => addPlace(part)))
    for (const fact of here) plant(fact, steps, chance)
    return places.map((part, index) => writePart(part, `${phase + 1}.${index + 1}`, chance, tokens))
  })
}

function addPlace(part: Places[]): Places {
  const place = { prompts: [], results: [], says: [], inputs: [] }
  part.push(place)
  return place
}

function plant(fact: Fact, steps: readonly Places[], { below, pick }: Random): void {
  const at = below(steps.length)
  const place = steps[at] as Places
  if (fact.isSaid) return void place.prompts.push(fact.line)
  place[pick(['results', 'results', 'results', 'says', 'inputs', 'prompts'] as const)].push(fact.line)
  for (let again = below(4); again >= 2; again--) {
    const later = steps[at + below(steps.length - at)] as Places
    later[pick(['results', 'inputs', 'says'] as const)].push(fact.text)
  }
}

function writePart(places: readonly Places[], name: string, chance: Random, tokens: number): Part {
  const said = places.flatMap(({ prompts }) => prompts)
  return {
    prompt: [`Now part ${name}: go on with the ${chance.word()}.`, ...said].join('\n'),
    steps: places.map((place) => writeStep(place, chance, tokens)),
    answer: `Part ${name} is done.`,
  }
}

function writeStep({ results, says, inputs }: Places, chance: Random, tokens: number): Step {
  const noise = Array.from({ length: Math.ceil(tokens / 12) }, () => noiseLine(chance))
  for (const line of results) noise.splice(chance.below(noise.length), 0, line)
  const told = says.length > 0 ? `I noted: ${says.join('; ')}.` : `Next comes the ${chance.word()}.`
  const isRead = inputs.length === 0 && chance.below(2) === 0
  return {
    says: told,
    tool: isRead ? 'Read' : 'Bash',
    input: isRead
      ? { path: `src/${chance.word()}/${chance.word()}.ts` }
      : { command: ['run', ...inputs].join(' && echo ') },
    result: noise.join('\n'),
  }
}

/** Some 12 tokens of what fills files and logs: mostly words, names now and then. */
function noiseLine({ word, below, pick }: Random): string {
  const plain = () => `${word()} ${pick(['of', 'to', 'and', 'is'])} ${word()} ${word()}`
  return pick([
    plain,
    plain,
    plain,
    () => `  const ${word()} = ${word()}(${word()}, ${below(90)})`,
    () => `  return this.${word()}.${word()}()`,
    () => `import { ${word()} } from './${word()}.js'`,
    () => `[info] ${word()} ${word()} in ${below(900)} ms`,
    () => `// ${plain()}`,
  ])()
}
