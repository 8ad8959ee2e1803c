import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cageProblem } from './cage.mjs'
import { checks } from './checks.mjs'
import { root } from './environment.mjs'
import { setUp } from './setup.mjs'
import { countTests, skippedTests, testReport } from './test-report.mjs'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no check '${unknown[0]}'. Checks: ${checks.map((check) => check.name).join(', ')}.\n`)
  process.exit(1)
}

const environment = setUp()
rmSync(testReport, { force: true })
const chosen = checks.filter((check) => names.length === 0 || names.includes(check.name))
const results = []
for (const group of groups()) results.push(...(await runAll(group)))

const width = Math.max(...results.map(({ name }) => name.length))
process.stdout.write('\n')
for (const { name, ok, seconds } of results) {
  process.stdout.write(`${name.padEnd(width)}  ${ok ? 'ok    ' : 'failed'}  ${seconds.toFixed(1).padStart(6)} s\n`)
}
if (chosen.some(({ name }) => name === 'vitest')) {
  const { passed, failed, skipped } = countTests()
  if (skipped > 0) process.stdout.write(`\n${notRun()}\n`)
  process.stdout.write(`\ntests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1

/** A test that is skipped says nothing of what it tests, so each file with one is named. */
function notRun() {
  const files = skippedTests()
  const most = Math.max(...files.map(({ file }) => file.length))
  const lines = files.map(({ file, skipped, all }) => `${file.padEnd(most)}  NOT RUN  ${skipped} of ${all}`)
  const problem = cageProblem({ environment })
  return [...lines, ...(problem ? [`${problem} What needs one was not run.`] : [])].join('\n')
}

/** Those that are run beside each other. */
function groups() {
  /** @type {(typeof checks[number])[][]} */
  const found = []
  for (const check of chosen) {
    const last = found.at(-1)
    if (!last || check.alone || last[0]?.alone) found.push([check])
    else last.push(check)
  }
  return found
}

/** @param {readonly (typeof checks[number])[]} group */
async function runAll(group) {
  const waiting = [...group.entries()]
  /** @type {Awaited<ReturnType<typeof run>>[]} */
  const done = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done[next[0]] = await run(next[1])
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return done
}

/** @param {typeof checks[number]} check */
async function run({ name, command: [program, ...args], live = false }) {
  process.stdout.write(`${name} ...\n`)
  const start = performance.now()
  const { code, output } = await execute(program, args, live)
  const ok = code === 0
  if (!ok && !live) process.stdout.write(`${name} failed:\n${output.trimEnd()}\n`)
  return { name, ok, seconds: (performance.now() - start) / 1000 }
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {boolean} live
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function execute(program, args, live) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    const shell = process.platform === 'win32'
    const env = live && process.stdout.isTTY ? environment : { ...environment, NO_COLOR: '1' }
    const child = spawn(program, args, { cwd: root, env, shell, stdio: live ? 'inherit' : 'pipe' })
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}
