import type { Json, StateEntry, View } from '@nacre/core'

/** The plugin's name, and the owner of its state. */
export const SHELL = 'shell'

/** `cwd`: the working folder. `background`: the number of the last command that was started in the background. */
export function shellState(key: 'cwd' | 'background', value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: SHELL, key, value }
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
