/** `Todo, Bash, Read ×8`: names in the order in which they came, runs counted. */
export function tally(names: readonly string[]): string {
  const runs: { name: string; times: number }[] = []
  for (const name of names) {
    const last = runs.at(-1)
    if (last?.name === name) last.times += 1
    else runs.push({ name, times: 1 })
  }
  return runs.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`)).join(', ')
}
