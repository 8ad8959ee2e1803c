import type { Sandbox } from '../../src/index.js'

/** A sandbox that is said to be there, for those that only judge. */
export function readySandbox(): Sandbox {
  const notHere = () => {
    throw new Error('Nothing runs in it.')
  }
  return {
    isReady: true,
    status: async () => ({ name: 'bubblewrap', reason: 'said so' }),
    enter: notHere,
    outside: (path) => path,
    show: () => undefined,
    hide: () => undefined,
    takeRefused: () => [],
    publish: notHere,
    unpublish: notHere,
    published: () => [],
    use: () => async () => undefined,
  }
}
