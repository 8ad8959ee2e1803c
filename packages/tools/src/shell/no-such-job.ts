import type { View } from '@nacre/core'
import type { Job } from './job.js'
import { jobCount, jobId } from './shell-state.js'

/** Why there is nothing to be had for an id, and which ids there are. */
export function noSuchJob(id: string, jobs: ReadonlyMap<string, Job>, view: View | undefined): string {
  const isFormer = Array.from({ length: jobCount(view) }, (_, index) => jobId(index + 1)).includes(id)
  const known = jobs.size > 0 ? `There are: ${[...jobs.keys()].join(', ')}.` : 'Nothing was started in the background.'
  return isFormer
    ? `The command ${id} is gone: it was started before the session was resumed or copied, and can not be reached from here. Start it again if it is needed.`
    : `There is no command ${JSON.stringify(id)} in the background. ${known}`
}
