import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ToolContext, View } from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { isWithin, realPath } from '../paths.js'

/**
 * The plugin's name, and the owner of its state. `cwd`: the working folder. `background`: the number of the last command
 * that was started in the background.
 */
export const SHELL = 'shell'

/** The folder in which the next command runs: a `cd` lasts. It is state of the session, or of the tools that have none. */
export interface WorkingFolder {
  /** Where to run now. Goes back to the session's folder, with a note, when the one that was kept is gone. */
  enter(context: ToolContext): Promise<Entered>
  /** Keeps the folder in which a command has ended. Gives a note when it changed. */
  leave(context: ToolContext, entered: Entered, end: string | undefined): Promise<string | undefined>
  /** Goes back to the session's folder: nothing could be run in the one that was kept. */
  reset(context: ToolContext): Promise<void>
}

interface Entered {
  readonly folder: string
  readonly note?: string
}

const OUTSIDE = 'is outside of the workspace'

/** `outside`: where a folder of a sandbox is found that has some of its own. */
export function workingFolder(
  roots: readonly string[] | undefined,
  outside: (path: string) => string = (path) => path,
): WorkingFolder {
  let kept: string | undefined
  const keep = async ({ store }: ToolContext, folder: string) => {
    kept = folder
    await store?.append([stateEntry(SHELL, 'cwd', folder)])
  }
  return {
    async enter(context) {
      const home = resolve(context.cwd)
      const folder = (context.view ? keptFolder(context.view) : kept) ?? home
      const problem =
        folder !== home && !(await isInside(roots, folder)) ? OUTSIDE : await missing(folder, outside(folder))
      if (!problem) return { folder }
      if (folder === home || (await missing(home))) throw new Error(`The working folder ${home} does not exist.`)
      await keep(context, home)
      return { folder: home, note: `The working folder ${folder} ${problem}: this ran in ${home}.` }
    },
    async leave(context, { folder }, end) {
      if (end === undefined || end === (await realPath(folder))) return undefined
      if (await isInside(roots, end)) {
        await keep(context, end)
        return `The working folder is now ${end}.`
      }
      const home = resolve(context.cwd)
      await keep(context, home)
      return `The working folder was set back to ${home}: ${end} ${OUTSIDE}.`
    },
    reset: (context) => keep(context, resolve(context.cwd)),
  }
}

async function missing(...paths: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  return found.some((one) => one?.isDirectory()) ? undefined : 'is gone'
}

async function isInside(roots: readonly string[] | undefined, path: string): Promise<boolean> {
  if (!roots) return true
  const real = await Promise.all(roots.map((root) => realPath(root)))
  return real.some((root) => isWithin(root, path))
}

/** The folder that a `cd` has led to, where one has. */
export function keptFolder(view: View): string | undefined {
  return view.state(SHELL, 'cwd') as string | undefined
}

/** How many commands the conversation has started in the background, in former runs of it too. */
export function jobCount(view: View | undefined): number {
  return (view?.state(SHELL, 'background') as number | undefined) ?? 0
}

export function jobId(number: number): string {
  return `bash_${number}`
}
