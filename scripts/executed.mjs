// How many source files have to work together for one thing that a user does, beside figures.json: the files of each
// package in which a function is called from the prompt on, against the simulator over a socket and with a session on
// disk. The simulator stands for the server, so its own files do not count, and neither does loading a module.
//
//   node scripts/executed.mjs           the figures
//   node scripts/executed.mjs --files   and the files

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './environment.mjs'
import { compare, readFigures } from './figures.mjs'

const journeys = ['plain-query', 'compaction', 'bash-call', 'resume']
const child = fileURLToPath(new URL('executed/child.mjs', import.meta.url))

/**
 * The sources of packages below a folder that a journey executes, as 'name/file', in order.
 * @param {string} folder
 * @param {string} journey the path of a module with `prepare`, which gives the journey itself
 * @returns {Promise<string[]>}
 */
export async function executedFiles(folder, journey) {
  const home = mkdtempSync(join(tmpdir(), 'nacre-home-'))
  try {
    const args = ['--conditions=@nacre/source', child, journey]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: cleanEnvironment(home) })
    const packages = pathToFileURL(join(folder, 'packages') + sep).href
    return /** @type {string[]} */ (JSON.parse(stdout))
      .filter((url) => url.startsWith(packages))
      .map((url) => decodeURIComponent(url.slice(packages.length)))
      .flatMap((path) => /^(?!simulator\/)[^/]+\/src\/.+$/.exec(path) ?? [])
      .map((path) => path.replace('/src/', '/'))
      .sort()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * Without settings and flags of whoever runs this.
 * @param {string} home
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnvironment(home) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NACRE_|XDG_|ANTHROPIC_|NODE_OPTIONS$)/.test(name))
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home }
}

/**
 * @param {readonly string[]} files
 * @returns {Record<string, number>}
 */
function countByPackage(files) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const file of files) {
    const name = file.slice(0, file.indexOf('/'))
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** @param {boolean} showsFiles */
async function check(showsFiles) {
  const { executed } = readFigures()
  const measured = await Promise.all(
    journeys.map((name) => executedFiles(root, join(root, 'scripts', 'executed', `${name}.mjs`))),
  )
  const problems = measured.flatMap((files, index) => {
    const journey = journeys[index] ?? ''
    const counts = countByPackage(files)
    const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
    process.stdout.write(`${journey}  ${files.length} files: ${parts.join(', ')}\n`)
    if (showsFiles) process.stdout.write(files.map((file) => `  ${file}\n`).join(''))
    const figures = executed[journey] ?? {}
    const names = [...new Set([...Object.keys(counts), ...Object.keys(figures)])]
    return names.flatMap((name) => compare(`${journey} in ${name}`, counts[name] ?? 0, 'files', figures[name]) ?? [])
  })
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await check(process.argv.includes('--files'))
}
