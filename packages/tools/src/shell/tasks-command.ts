import type { Command } from '@nacre/core'
import { noSuchJob } from './no-such-job.js'
import type { ShellKit } from './shell-kit.js'
import { firstLine } from './visible-text.js'

const HELP = 'Lists the commands in the background; `stop <id>` ends one.'

/** Lets people see what runs in the background, and end it. */
export function tasksCommand({ jobs }: Pick<ShellKit, 'jobs'>): Command {
  return {
    name: 'tasks',
    help: HELP,
    async run(args, context) {
      const words = args.trim().split(/\s+/)
      if (words[0] === '') return listed(jobs)
      const [what, id, ...rest] = words
      if (what !== 'stop' || id === undefined || rest.length > 0)
        return `'tasks ${args.trim()}' can not be read. ${HELP}`
      const job = jobs.get(id)
      if (!job) return noSuchJob(id, jobs, context.view())
      if (!job.isRunning()) return `There is nothing to end. ${job.status()}`
      await job.kill('the person')
      return job.status()
    },
  }
}

function listed(jobs: ShellKit['jobs']): string {
  if (jobs.size === 0) return 'Nothing was started in the background.'
  return [...jobs.values()].map((job) => `${job.status()}\n  $ ${firstLine(job.command)}`).join('\n')
}
