import fs, { writeSync } from 'node:fs'
import fsp from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { openRepository } from '../../../src/folder/repository.js'
import type { Repository } from '../../../src/folder/types.js'

// Kills itself at the so-manieth thing it does to the disk; a write is killed when half of it is there.
const [folder = '', task = '', point = '0', from = '0'] = process.argv.slice(2)
let left = Number(point)
const die = () => process.kill(process.pid, 'SIGKILL')
const isDue = () => left-- === 0

for (const name of ['rename', 'link', 'rm', 'unlink', 'mkdir', 'rmdir', 'utimes', 'writeFile', 'cp'] as const) {
  const real: (...args: never[]) => unknown = fsp[name]
  Object.assign(fsp, { [name]: (...args: never[]) => (isDue() ? die() : real.apply(fsp, args)) })
}
for (const name of ['renameSync', 'unlinkSync'] as const) {
  const real: (...args: never[]) => unknown = fs[name]
  Object.assign(fs, { [name]: (...args: never[]) => (isDue() ? die() : real.apply(fs, args)) })
}
const realOpen = fsp.open
fsp.open = async (...args) => {
  const handle = await realOpen(...args)
  const realWrite = handle.writeFile.bind(handle)
  handle.writeFile = async (data, ...rest) => {
    if (!isDue()) return realWrite(data, ...rest)
    const bytes = Buffer.from(data as Uint8Array)
    fs.writeSync(handle.fd, bytes, 0, Math.floor(bytes.length / 2))
    die()
  }
  return handle
}
syncBuiltinESMExports()

/** One change of several files: `same` ones have its number, and of two others one comes and one goes. */
async function change(repository: Repository, number: number): Promise<void> {
  const text = `number ${number}\n${'x'.repeat(200)}\n`
  await repository.change({ by: 'agent', summary: `Change ${number}` }, () => {
    const files = new Map<string, string | undefined>([
      ['a.md', text],
      ['deep/er/b.md', text],
      ['c.md', text],
    ])
    files.set(`turn/${number % 2}.md`, text)
    files.set(`turn/${(number + 1) % 2}.md`, undefined)
    return files
  })
}

const repository = await openRepository({ path: folder, now: () => 1_767_355_200_000 })
writeSync(1, 'open\n')
if (task === 'purge') await repository.purge({ paths: ['gone.md'], texts: ['top secret'] })
for (let number = Number(from) + 1; task === 'change' && number <= Number(from) + 3; number++) {
  // As a person does meanwhile.
  fs.writeFileSync(join(folder, 'hand.md'), `by hand ${number}\n`)
  await change(repository, number)
  writeSync(1, `${number}\n`)
}
writeSync(1, 'done\n')
process.exit()
