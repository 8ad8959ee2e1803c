import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Narrator } from '../outcome/narrator.js'
import type { Firing, Live } from '../outcome/outcome.js'
import { MODEL, openSession } from './open-session.js'
import { WINDOW } from './play-all.js'
import { playWork, SHOP, testsPass } from './play-run.js'
import { watchLayers } from './watch-layers.js'

const MAX_DOLLARS = 3

/** The work with the real API, as if its window were small; stopped where it costs too much. */
export async function playLive(narrator: Narrator, model = MODEL): Promise<Live> {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const project = join(folder, 'shop')
  const firings: Firing[] = []
  try {
    await cp(SHOP, project, { recursive: true })
    const place = { model, window: WINDOW, project, home: join(folder, 'data'), flags: {}, maxDollars: MAX_DOLLARS }
    const session = await openSession(place, { id: 'live' })
    watchLayers(session, {
      project,
      requests: () => session.cost('main').requests,
      called: narrator.call,
      fired(firing) {
        firings.push(firing)
        narrator.fired(firing)
      },
    })
    const refusal = await playWork(session, narrator)
    await session.close()
    const { dollars, hitRate } = session.cost()
    const requests = session.cost('main').requests
    return {
      version: 1,
      model,
      firings,
      requests,
      dollars,
      hitRate,
      ...(refusal !== undefined && { refusal }),
      isFixed: await testsPass(project),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
