import type { Options } from 'tsup'

/** What every package builds to: modules for Node 20, with the `node:` prefix kept. */
export const base: Options = {
  format: 'esm',
  target: 'node20',
  removeNodeProtocol: false,
  clean: true,
}
