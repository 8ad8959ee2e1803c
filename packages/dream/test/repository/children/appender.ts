import { openRepository } from '../../../src/repository/repository.js'

// Adds its lines to a file that all others add to, one by one, and writes a file of its own.
const [folder = '', name = '', count = '0'] = process.argv.slice(2)
const repository = await openRepository({ path: folder, now: () => 1_767_355_200_000 })
for (let number = 1; number <= Number(count); number++) {
  const line = `${name}.${number}`
  await repository.change({ by: 'agent', summary: line }, ({ files }) => {
    const shared = `${files.get('shared.md') ?? ''}${line}\n`
    return new Map([
      ['shared.md', shared],
      [`own/${name}.md`, `${line}\n`],
    ])
  })
}
process.exit()
