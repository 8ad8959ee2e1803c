import { type Command, definePlugin, type Plugin } from '@nacre/core'
import { announcedSkills } from './announced-skills.js'
import { type FoundSkills, findSkills } from './find-skills.js'
import { OWNER } from './invoked-skills.js'
import type { SkillProblem } from './skill.js'
import { skillFolders } from './skill-folders.js'
import { skillRestorer } from './skill-restorer.js'
import { skillTool } from './skill-tool.js'

export interface SkillsOptions {
  /** Where to look, the farthest first; those of `skillFolders(cwd)` unless told. */
  readonly folders?: readonly string[]
  /** Hears once in a session of each skill that was left out. A warning of the process unless told. */
  report?(problem: SkillProblem): void
}

/** Skills that the model can load: listed in the prompt, announced as they come, brought back after a fold as reference. */
export function skills({ folders, report = warn }: SkillsOptions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    setup(context) {
      const reported = new Set<string>()
      const find = async () => {
        const found = await findSkills(folders ?? skillFolders(context.cwd))
        for (const problem of found.problems) {
          const key = worded(problem)
          if (!reported.has(key)) report(problem)
          reported.add(key)
        }
        return found
      }
      const { section, hooks, restorer } = announcedSkills({ context, find })
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
      return [...lines, ...found.problems.map(worded)].join('\n') || 'There are no skills.'
    },
  }
}

function worded({ file, line, message }: SkillProblem): string {
  return `${file}:${line}: ${message}.`
}

function warn(problem: SkillProblem): void {
  process.emitWarning(worded(problem), { code: 'NACRE_SKILL' })
}
