/** A text on one line, cut where it is long. */
export function brief(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest || text.length > longest * 4 ? `${line.slice(0, longest)}…` : line
}
