import { renameSync, symlinkSync, unlinkSync } from 'node:fs'

// Swaps a folder, and a file in another one, for links to a place outside, as fast as it can, until it is killed.
const [, , folder, outside] = process.argv
const tree = `${folder}/src`
const file = `${folder}/files/b.txt`
process.stdout.write('swapping\n')
for (;;) {
  renameSync(tree, `${tree}-real`)
  symlinkSync(outside, tree)
  unlinkSync(tree)
  renameSync(`${tree}-real`, tree)
  renameSync(file, `${file}-real`)
  symlinkSync(`${outside}/a.txt`, file)
  unlinkSync(file)
  renameSync(`${file}-real`, file)
}
