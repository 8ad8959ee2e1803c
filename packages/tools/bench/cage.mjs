import { spawnSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bashTools, createPermissions, createSandbox } from '@nacre/tools'

// What a cage adds to a command, against the time of one `node -e 0`: medians of the same run, taken in turns. The first
// command of a session, which makes the private folders and the network, stands apart.
const ROUNDS = 50
const LIMIT = 1

const cwd = await realpath(await mkdtemp(join(tmpdir(), 'nacre-cage-bench-')))
const sandbox = createSandbox()
const first = performance.now()
const { name, reason } = await sandbox.status()
if (name === 'none') {
  console.log(`There is no sandbox here: ${reason}`)
  process.exit(0)
}
const probed = performance.now() - first
const live = createPermissions({ mode: 'accept-edits', sandbox })
const caged = bashTools({ sandbox, cageOf: live.cageOf })
const plain = bashTools()

let calls = 0
async function run(tools, input) {
  const call = { id: `call-${++calls}`, name: 'Bash', input }
  if (tools === caged) live.judge(call, tools.bash, cwd)
  const context = { callId: call.id, cwd, signal: new AbortController().signal, progress: () => {} }
  await tools.bash.run(input, context)
  live.forget(call.id)
}

const ways = {
  'without a cage': () => run(plain, { command: 'true' }),
  'in read': () => run(caged, { command: 'true' }),
  'in work': () => run(caged, { command: 'true', access: 'write' }),
  'node -e 0': () => spawnSync(process.execPath, ['-e', '0']),
}
const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
const firsts = {}
for (const [way, once] of Object.entries(ways)) {
  const start = performance.now()
  await once()
  firsts[way] = performance.now() - start
}
for (let round = 0; round < ROUNDS; round++) {
  for (const [way, once] of Object.entries(ways)) {
    const start = performance.now()
    await once()
    times[way].push(performance.now() - start)
  }
}
await caged.close()
await plain.close()
await rm(cwd, { recursive: true, force: true })

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]
const node = median(times['node -e 0'])
console.log(`${'a `true`'.padEnd(16)} median ms   first ms`)
for (const way of Object.keys(ways))
  console.log(`${way.padEnd(16)} ${median(times[way]).toFixed(1).padStart(9)} ${firsts[way].toFixed(1).padStart(10)}`)
console.log(`to find out what the machine has, and to load what judges environments: ${probed.toFixed(0)} ms, once`)
for (const way of ['in read', 'in work']) {
  const added = (median(times[way]) - median(times['without a cage'])) / node
  console.log(`${way}: adds ${added.toFixed(2)} of one node -e 0 (limit ${LIMIT})`)
  if (added > LIMIT) process.exitCode = 1
}
