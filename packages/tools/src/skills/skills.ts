import { type Command, definePlugin, type Plugin } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf } from '../define-tool.js'
import { announcedSkills } from './announced-skills.js'
import { type FoundSkills, findSkills, type Skill, type SkillProblem, skillFolders } from './find-skills.js'
import { invokedEntries, OWNER, skillRestorer } from './loaded-skills.js'

export interface SkillsOptions {
  /** Where to look, the farthest first; those of `skillFolders(cwd)` unless told. */
  readonly folders?: readonly string[]
  /** Hears once in a session of each skill that was left out. A warning of the process unless told. */
  report?(problem: SkillProblem): void
}

/** Skills that the model can load: listed in the prompt, announced as they come, brought back after a fold as reference. */
export function skills({ folders, report = emitWarning }: SkillsOptions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    setup(context) {
      const reported = new Set<string>()
      const find = async () => {
        const found = await findSkills(folders ?? skillFolders(context.cwd))
        for (const problem of found.problems) {
          const key = formatProblem(problem)
          if (!reported.has(key)) report(problem)
          reported.add(key)
        }
        return found
      }
      const { section, hooks, restorer } = announcedSkills(context, find)
      return {
        tools: [skillTool(find)],
        prompt: [section],
        hooks,
        restorers: [skillRestorer, restorer],
        commands: [skillsCommand(find)],
      }
    },
  })
}

function skillsCommand(find: () => Promise<FoundSkills>): Command {
  return {
    name: 'skills',
    help: 'Shows the skills there are, and what was left out.',
    async run() {
      const found = await find()
      const lines = found.skills.map(({ name, description, file }) => `${name}: ${description} (${file})`)
      return [...lines, ...found.problems.map(formatProblem)].join('\n') || 'There are no skills.'
    },
  }
}

function formatProblem({ file, line, message }: SkillProblem): string {
  return `${file}:${line}: ${message}.`
}

function emitWarning(problem: SkillProblem): void {
  process.emitWarning(formatProblem(problem), { code: 'NACRE_SKILL' })
}

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
      if (!skill) return errorResult(unknownSkill(wanted, skills))
      if (!skill.isForModel) return errorResult(`The skill '${wanted}' is for people to start, not for the model.`)
      if (view && store) await store.append(invokedEntries(view, skill, callId))
      return formatSkill(skill, args)
    },
    show: ({ name }, result) => (result.isError ? textOf(result) : `Loaded the skill ${name}.`),
  })
}

function formatSkill({ name, folder, body }: Skill, args: string): string {
  const text = body.replaceAll('$ARGUMENTS', () => args)
  const isUsed = body.includes('$ARGUMENTS') || args.trim() === ''
  const head = `Skill ${name}. Files that it names are in ${folder}.`
  return [head, '', text, ...(isUsed ? [] : ['', `Arguments: ${args}`])].join('\n')
}

function unknownSkill(name: string, skills: readonly Skill[]): string {
  const names = skills.filter(({ isForModel }) => isForModel).map((skill) => skill.name)
  return `There is no skill '${name}'. ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none at all.'}`
}
