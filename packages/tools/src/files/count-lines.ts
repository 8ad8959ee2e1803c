/** `1 line`, `2 lines`. */
export function countLines(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
