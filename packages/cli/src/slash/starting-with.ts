/** The words that what was typed may become. */
export function startingWith(typed: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(typed))
}
