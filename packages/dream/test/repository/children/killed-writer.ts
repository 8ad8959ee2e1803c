import fs, { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openRepository } from '../../../src/repository/repository.js'
import type { Repository } from '../../../src/repository/types.js'
import { dieAt } from '../../support/die-at.js'

// Kills itself at the so-manieth thing it does to the disk.
const [folder = '', task = '', point = '0', from = '0'] = process.argv.slice(2)
dieAt(Number(point))

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
