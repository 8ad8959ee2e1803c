import type { ToolContext, ToolResult } from '@nacre/core'
import { errorResult, textResult } from '../define-tool.js'
import { createJob } from './job.js'
import type { ShellKit } from './shell-kit.js'
import { jobCount, shellState } from './shell-state.js'
import { createSpool } from './spool.js'

/** Starts a command that the call does not wait for, and gives the id to ask for it with. */
export async function startBackground(kit: ShellKit, command: string, context: ToolContext): Promise<ToolResult> {
  const { limits, time, folder, processes, workingFolder, jobs } = kit
  const entered = await workingFolder.enter(context)
  const spool = createSpool({ folder, above: -1, maxBytes: limits.fileBytes })
  // Makes the file: what nobody can read later need not be started.
  await spool.write(new Uint8Array())
  if (spool.problem !== undefined) return errorResult(`Not started: its output can not be kept. ${spool.problem}`)
  const process = await processes.start(command, entered.folder)
  if (context.signal.aborted) {
    // Nobody would learn of its id.
    await process.end('all')
    process.release()
    await spool.close()
    await spool.remove()
    context.signal.throwIfAborted()
  }
  // A rewind takes the count back, but not the commands.
  const number = 1 + Math.max(jobCount(context.view), ...[...jobs.values()].map((job) => job.number))
  const job = createJob({ number, command, spool, process, time })
  jobs.set(job.id, job)
  await context.store?.append([shellState('background', number)])
  const how = 'Ask for its output with BashOutput; end it with KillBash. It ends with the session.'
  const note = entered.note ? `\n[${entered.note}]` : ''
  return textResult(`Started in the background as ${job.id}. ${how} All it writes goes to ${spool.path}.${note}`)
}
