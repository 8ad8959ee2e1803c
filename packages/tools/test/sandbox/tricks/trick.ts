/** Commands of one kind that want what a cage is there against. What stands between at signs the stage fills in. */
export interface TrickGroup {
  readonly kind: string
  /** Whether they touch nothing but the stage where there is no cage either, so that it can be tried what they do. */
  readonly isContained: boolean
  readonly commands: readonly string[]
}

/** One command for each line of a template that is not empty, with its backslashes. */
export function lines({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Between commands of one trick that are run one after the other in the same session. */
export const THEN = '\n@THEN@\n'

/** Between commands of one trick that are run at the same time in the same session. */
export const BESIDE = '\n@BESIDE@\n'
