const quietTurbo = ['--output-logs=errors-only', '--log-order=grouped', '--continue']
const inPackages = ['--recursive', '--filter', './packages/*', 'exec']

/**
 * Every check of `npm test`, in the order in which they are begun. `live` shows the output as it comes; the others show
 * theirs only when they fail. `alone` takes all processors, so that nothing runs beside it; those after the build need it.
 * @type {ReadonlyArray<{ name: string, command: readonly [string, ...string[]], live?: boolean, alone?: boolean }>}
 */
export const checks = [
  { name: 'biome', command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '--max-diagnostics=50'] },
  { name: 'sherif', command: ['sherif'] },
  { name: 'typecheck', command: ['turbo', 'run', 'typecheck', 'typecheck:packages', '--concurrency=2', ...quietTurbo] },
  { name: 'depcruise', command: ['depcruise', '--config', '.dependency-cruiser.cjs', '{packages,apps,examples}/*'] },
  { name: 'rooms', command: ['node', 'scripts/rooms.mjs'] },
  { name: 'knip', command: ['knip'] },
  { name: 'executed', command: ['node', 'scripts/executed.mjs'] },
  { name: 'build', command: ['turbo', 'run', 'build', ...quietTurbo], alone: true },
  { name: 'vitest', command: ['vitest', 'run'], live: true, alone: true },
  { name: 'examples', command: ['node', 'scripts/examples.mjs'] },
  { name: 'publint', command: ['pnpm', ...inPackages, 'publint', '--strict'] },
  { name: 'attw', command: ['pnpm', ...inPackages, 'attw', '--pack', '.', '--profile', 'esm-only'] },
  { name: 'size-limit', command: ['node', 'scripts/sizes.mjs'] },
  { name: 'packed', command: ['node', 'scripts/packed.mjs'] },
  { name: 'bundled', command: ['node', 'scripts/bundled.mjs'] },
]
