import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { scripted, startSimulator } from '@nacre/simulator'
import { median } from './support.mjs'

const TURNS = 200
const ROUNDS = 5
/** Rounds before that: a machine that compiles as it goes is measured once it has. */
const WARM_UP = 3

/** What a session costs beside sending: its processor time against that of the SDK alone sending the same bodies. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureOverhead() {
  let asked = 0
  const simulator = await startSimulator({
    model: scripted(() => {
      asked += 1
      if (asked % (TURNS + 1) === 0) return 'done'
      return [{ type: 'tool_use', name: 'read_file', input: { path: `src/file-${asked}.ts` } }]
    }),
  })
  /** @type {string[]} */
  const bodies = []
  const stop = simulator.observe(({ body }) => bodies.push(body))
  const child = fork(fileURLToPath(new URL('./overhead-child.mjs', import.meta.url)), [simulator.url, String(TURNS)])
  await once(child, 'message')
  const ask = async (request) => {
    child.send(request)
    const [answer] = await once(child, 'message')
    return answer
  }
  await ask({ run: 'session' })
  stop()
  await ask({ run: 'bare', bodies })
  for (let round = 1; round < WARM_UP; round++) {
    await ask({ run: 'session' })
    await ask({ run: 'bare', bodies })
  }
  const shares = []
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const session = await ask({ run: 'session' })
    const bare = await ask({ run: 'bare', bodies })
    shares.push(session / bare)
    times.push(session - bare)
  }
  child.kill()
  await simulator.close()
  return [
    {
      name: `processor time of ${TURNS} turns against the SDK alone sending the same bodies`,
      ratio: median(shares),
      limit: 1.1,
      detail: `${(median(times) / 1000 / TURNS).toFixed(2)} ms more a turn`,
    },
  ]
}
