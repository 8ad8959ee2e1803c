import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf } from '../define-tool.js'
import type { FoundSkills } from './find-skills.js'
import { invokedEntries } from './invoked-skills.js'
import type { Skill } from './skill.js'

const DESCRIPTION = `Loads a skill: instructions for a special kind of task, with files that go with them. The skills there are, are listed in the system prompt, and new ones are told of as they come.
When a skill fits the task, load it before the work begins, and only once: what it says stays in the conversation. Names that nobody has told of do not exist.`

const input = z.object({
  name: z.string().trim().min(1).describe('The name of the skill.'),
  args: z.string().optional().describe('What the skill is to be used on, where it takes arguments.'),
})

/** The tool that loads skills. `find` is asked at each call, so that a skill made a moment ago is there. */
export function skillTool(find: () => Promise<FoundSkills>): ShownTool<z.output<typeof input>> {
  return defineTool({
    name: 'Skill',
    description: DESCRIPTION,
    input,
    // What was loaded is kept as state, which must not happen for an answer that breaks off.
    traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
    title: ({ name, args }) => `Skill ${name}${args ? ` ${args}` : ''}`,
    async run({ name, args = '' }, { callId, view, store }) {
      const { skills } = await find()
      const wanted = name.replace(/^\//, '')
      const skill = skills.find((each) => each.name === wanted)
      if (!skill) return errorResult(unknown(wanted, skills))
      if (!skill.isForModel) return errorResult(`The skill '${wanted}' is for people to start, not for the model.`)
      if (view && store) await store.append(invokedEntries(view, skill, callId))
      return worded(skill, args)
    },
    show: ({ name }, result) => (result.isError ? textOf(result) : `Loaded the skill ${name}.`),
  })
}

function worded({ name, folder, body }: Skill, args: string): string {
  const text = body.replaceAll('$ARGUMENTS', () => args)
  const isUsed = body.includes('$ARGUMENTS') || args.trim() === ''
  const head = `Skill ${name}. Files that it names are in ${folder}.`
  return [head, '', text, ...(isUsed ? [] : ['', `Arguments: ${args}`])].join('\n')
}

function unknown(name: string, skills: readonly Skill[]): string {
  const names = skills.filter(({ isForModel }) => isForModel).map((skill) => skill.name)
  return `There is no skill '${name}'. ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none at all.'}`
}
