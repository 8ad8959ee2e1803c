// A data folder, a project and an offline server, for one run of a bench.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { dream, openMemories } from '@nacre/dream'
import { startSimulator } from '@nacre/simulator'

/** @param {import('@nacre/simulator').SimulatedModel} model @param {number} now */
export async function setStage(model, now) {
  const home = mkdtempSync(join(tmpdir(), 'nacre-dream-bench-'))
  const project = join(home, 'project')
  mkdirSync(project)
  const simulator = await startSimulator({ model })
  const stage = {
    home,
    project,
    simulator,
    now,
    store: fileStore({ home, project }),
    open: (options = {}) =>
      createSession({
        model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none', baseURL: simulator.url }),
        store: fileStore({ home, project }),
        cwd: project,
        plugins: [dream({ home, project, dailyDollars: 1_000 })],
        ...options,
        details: { effects: { now: () => stage.now } },
      }),
    memories: () => openMemories({ home, project, now: () => stage.now }),
    async close() {
      await simulator.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return stage
}

/** @param {import('@nacre/core').Session} session @param {string} prompt */
export async function ask(session, prompt) {
  for await (const event of session.query(prompt)) if (event.type === 'end' && event.error) throw event.error
}
