import { z } from 'zod'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'
import { noSuchJob } from './no-such-job.js'
import type { ShellKit } from './shell-kit.js'

export interface KillBashInput {
  readonly id: string
}

/** Ends a command in the background, with all its processes. */
export function killBashTool({ jobs }: ShellKit): ShownTool<KillBashInput> {
  return defineTool({
    name: 'KillBash',
    description: 'Ends a command in the background, with all processes that it has started.',
    input: z.object({ id: z.string().describe('The id that Bash gave for the command.') }),
    traits: { isCompactable: true },
    async run({ id }, { view }) {
      const job = jobs.get(id)
      if (!job) return errorResult(noSuchJob(id, jobs, view))
      if (!job.isRunning()) return `There is nothing to end. ${job.status()}`
      await job.kill('KillBash')
      return job.status()
    },
    title: ({ id }) => `End ${id}`,
  })
}
