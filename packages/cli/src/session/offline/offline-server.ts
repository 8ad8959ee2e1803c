import type { Simulator } from '@nacre/simulator'

/** The server behind `--offline`: a Messages API on loopback that answers by rules. */
export interface OfflineServer {
  /** Starts it with the first question for its address. */
  url(): Promise<string>
  close(): Promise<void>
}

/** `window`: the size that its models have, where settings name one. */
export function offlineServer(window: number | undefined): OfflineServer {
  let started: Promise<Simulator> | undefined
  return {
    async url() {
      started ??= start(window)
      return (await started).url
    },
    async close() {
      const simulator = await started?.catch(() => undefined)
      await simulator?.close()
    },
  }
}

async function start(window: number | undefined): Promise<Simulator> {
  const [{ MODELS, offline, startSimulator }, { offlineJobs }] = await Promise.all([
    import('@nacre/simulator'),
    import('./offline-jobs.js'),
  ])
  const models = window === undefined ? [] : MODELS.map(({ id }) => ({ id, like: id, window }))
  return startSimulator({ model: offline({ jobs: offlineJobs }), models })
}
