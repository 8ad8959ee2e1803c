import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './environment.mjs'

// Runs the start script of every example, two at a time. Each of them ends with an error when something surprises it.
// They need the build.

const LIMIT = 30_000

const folders = readdirSync(join(root, 'examples'))
  .map((name) => join(root, 'examples', name))
  .filter((folder) => existsSync(join(folder, 'package.json')))
const waiting = folders.values()
const ends = await Promise.all([runNext(), runNext()])
process.exitCode = ends.every(Boolean) ? 0 : 1

/** Takes one example after the other; whether all of them went well. */
async function runNext() {
  let isFine = true
  for (const folder of waiting) isFine = (await runExample(folder)) && isFine
  return isFine
}

/** @param {string} folder */
async function runExample(folder) {
  const { name, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!scripts?.start) return say(`${name}: failed, it has no start script`, false)
  const begun = performance.now()
  const { code, output } = await execute(scripts.start, folder)
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`
  if (code !== 0) return say(`${name}: failed, ${seconds}\n${output.trimEnd()}`, false)
  if (output.trim() === '') return say(`${name}: failed, it prints nothing`, false)
  return say(`${name}: ok, ${seconds}`, true)
}

/**
 * @param {string} line
 * @param {boolean} isFine
 */
function say(line, isFine) {
  process.stdout.write(`${line}\n`)
  return isFine
}

/**
 * @param {string} command
 * @param {string} cwd
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function execute(command, cwd) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    const child = spawn(command, { cwd, shell: true, timeout: LIMIT, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}
