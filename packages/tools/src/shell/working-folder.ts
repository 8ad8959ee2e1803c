import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { ToolContext } from '@nacre/core'
import { realPath } from '../paths/real-path.js'
import { keptFolder, shellState } from './shell-state.js'

/** The folder in which the next command runs: a `cd` lasts. It is state of the session, or of the tools that have none. */
export interface WorkingFolder {
  /** Where to run now. Goes back to the session's folder, with a note, when the one that was kept is gone. */
  enter(context: ToolContext): Promise<Entered>
  /** Keeps the folder in which a command has ended. Gives a note when it changed. */
  leave(context: ToolContext, entered: Entered, end: string | undefined): Promise<string | undefined>
}

interface Entered {
  readonly folder: string
  readonly note?: string
}

const OUTSIDE = 'is outside of the workspace'

export function workingFolder(roots: readonly string[] | undefined): WorkingFolder {
  let kept: string | undefined
  const keep = async ({ store }: ToolContext, folder: string) => {
    kept = folder
    await store?.append([shellState('cwd', folder)])
  }
  return {
    async enter(context) {
      const home = resolve(context.cwd)
      const folder = (context.view ? keptFolder(context.view) : kept) ?? home
      const problem = folder !== home && !(await isInside(roots, folder)) ? OUTSIDE : await missing(folder)
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
  }
}

async function missing(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? undefined : 'is gone'
}

async function isInside(roots: readonly string[] | undefined, path: string): Promise<boolean> {
  if (!roots) return true
  const real = await Promise.all(roots.map((root) => realPath(root)))
  return real.some((root) => !/^\.\.(?:\/|$)/.test(relative(root, path)))
}
