// What each entry weighs when it is minified and compressed, beside figures.json. Needs a build.

import { spawnSync } from 'node:child_process'
import { childEnvironment, root } from './environment.mjs'
import { compare, readFigures } from './figures.mjs'

const { stdout, stderr } = spawnSync('size-limit', ['--json'], {
  cwd: root,
  env: childEnvironment(),
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const { sizes } = readFigures()
/** @type {{ name: string, size?: number }[]} */
const measured = stdout.startsWith('[') ? JSON.parse(stdout) : []
const problems = measured.flatMap(({ name, size = Number.NaN }) => {
  process.stdout.write(`${name}  ${toKilobytes(size)} kB\n`)
  return compare(name, toKilobytes(size), 'kB', sizes[name]) ?? []
})
if (measured.length === 0) problems.push(`size-limit measured nothing; is everything built?\n${stdout}${stderr}`)
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

/** @param {number} bytes */
function toKilobytes(bytes) {
  return Math.ceil(bytes / 10) / 100
}
