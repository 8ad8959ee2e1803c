import type { ToolContext, ToolResult } from '@nacre/core'
import { errorResult, textResult } from '../define-tool.js'
import { outputRecord } from './output-record.js'
import { type Ending, runProcess } from './run-process.js'
import type { ShellKit } from './shell-kit.js'
import { wordEnd, wordTime } from './word-end.js'

/** A command that the call waits for. */
export interface ForegroundCommand {
  readonly command: string
  readonly timeout: number
  /** Whether the folder it ends in is kept: not for one that may run beside others, where the last would win. */
  readonly mayMove: boolean
}

/** Runs a command to its end and gives what it wrote, with notes on what else has to be known. */
export async function runForeground(kit: ShellKit, task: ForegroundCommand, context: ToolContext): Promise<ToolResult> {
  const { limits, time, folder, processes, workingFolder } = kit
  const { signal, store, callId, progress } = context
  const { command, timeout, mayMove } = task
  const entered = await workingFolder.enter(context)
  const record = outputRecord(folder, limits)
  const process = await processes.start(command, entered.folder)
  const ending = await runProcess(process, { record, timeout, signal, time, progress })
  const moved = mayMove ? await workingFolder.leave(context, entered, ending.folder) : undefined
  const notes = [entered.note, ...wordEnding(ending, timeout, limits.maxTimeout), moved]
    .filter((note) => note !== undefined)
    .map((note) => `\n[${note}]`)
    .join('')
  const output = (await record.text(limits.resultChars - notes.length, `bash-${callId}.txt`, store)).trimEnd()
  const text = output === '' ? notes.slice(1) || '(no output)' : `${output}${notes}`
  return ending.end?.code === 0 ? textResult(text) : errorResult(text)
}

const NAMED = 3
const NAME_CHARS = 100

function wordEnding(ending: Ending, timeout: number, maxTimeout: number): (string | undefined)[] {
  const { stopped, end, left, goesOn } = ending
  const named = left.slice(0, NAMED).map((name) => name.slice(0, NAME_CHARS))
  const others = left.length > NAMED ? ` and ${left.length - NAMED} more` : ''
  const ended = `Ended with the command: ${named.join('; ')}${others}. Use run_in_background for what has to go on.`
  const all = goesOn ? '' : ' with all its processes'
  const longer = `A command may have a timeout of up to ${maxTimeout} ms, or run in the background.`
  return [
    stopped === 'timeout' ? `Stopped${all} after ${wordTime(timeout)}, its time limit. ${longer}` : undefined,
    stopped === 'aborted' ? `Stopped${all}: the call was aborted.` : undefined,
    end && end.code !== 0 ? sentence(wordEnd(end)) : undefined,
    left.length > 0 ? ended : undefined,
    goesOn ? 'Some of its processes could not be ended: they may belong to another user.' : undefined,
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
