import { writeSync } from 'node:fs'
import { fileStore } from '../../../src/node/file-store.js'
import { never, user } from '../entries.js'

// Appends until it is killed. An id is printed only after its append has resolved.
const [home = '', project = ''] = process.argv.slice(2)
const session = await fileStore({ home, project }).open('one', never)
const begun = `${process.pid}`
for (let count = 0; ; count++) {
  await session.append([user(`${begun}.${count}a`, 'x'.repeat((count * 997) % 30_000)), user(`${begun}.${count}b`)])
  writeSync(1, `${begun}.${count}\n`)
}
