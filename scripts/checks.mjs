/**
 * Every check of `npm test`, in the order in which they run. `live` shows the output as it comes; the others show
 * theirs only when they fail.
 * @type {ReadonlyArray<{ name: string, command: readonly [string, ...string[]], live?: boolean }>}
 */
export const checks = [
  { name: 'biome', command: ['biome', 'ci'] },
  { name: 'sherif', command: ['sherif'] },
  { name: 'typecheck', command: ['turbo', 'run', 'typecheck', '--output-logs=errors-only', '--continue'] },
  { name: 'build', command: ['turbo', 'run', 'build', '--output-logs=errors-only', '--continue'] },
  { name: 'vitest', command: ['vitest', 'run'], live: true },
]
