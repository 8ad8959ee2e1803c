import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { soak } from './soak-load.mjs'

const LIMIT = 1.1

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '1000' },
    many: { type: 'string', default: '10000' },
    module: { type: 'string', default: fileURLToPath(new URL('../dist/index.js', import.meta.url)) },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'simulator-soak-'))
const { before, after, requests } = await soak({
  few: Number(values.few),
  many: Number(values.many),
  module: pathToFileURL(values.module).href,
  ledger: join(folder, 'ledger.jsonl'),
})
await rm(folder, { recursive: true })

const ratio = after / before
const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
process.stdout.write(
  `heap after ${requests} requests against ${values.few}: ${megabytes(after)} / ${megabytes(before)} = ${ratio.toFixed(2)}, limit ${LIMIT}, ${ratio > LIMIT ? 'over' : 'ok'}\n`,
)
process.exitCode = ratio > LIMIT ? 1 : 0
