import type { KeptText } from './keep-text.js'

/** A text on its way into the context, which can be made shorter in steps. */
export interface ShrinkingText {
  /** As it would enter the context now. */
  shown(): string
  /** What stands for it in the log, once it is kept elsewhere. */
  logged(): string | undefined
  canShrink(): boolean
  /** One step: the whole is kept elsewhere and a preview is shown, then less of a preview. */
  shrink(): Promise<void>
}

/** The words that stand for a text are about as long: below that nothing is won. */
const SHORTEST = 1_000

/** `keep` writes the text elsewhere; without it the text stays as it is. */
export function shrinkingText(text: string, keep?: () => Promise<KeptText>): ShrinkingText {
  let shown = text
  let forms: readonly string[] | undefined
  const shorter = () => forms?.find(({ length }) => length < shown.length)
  return {
    shown: () => shown,
    logged: () => (shown === text ? undefined : forms?.at(-1)),
    canShrink: () => keep !== undefined && (forms ? shorter() !== undefined : text.length > SHORTEST),
    async shrink() {
      forms ??= (await keep?.())?.forms ?? []
      shown = shorter() ?? shown
    },
  }
}
