import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { checks } from './checks.mjs'
import { root } from './environment.mjs'
import { setUp } from './setup.mjs'
import { countTests, testReport } from './test-report.mjs'

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
for (const check of chosen) results.push(await run(check))

const width = Math.max(...results.map(({ name }) => name.length))
process.stdout.write('\n')
for (const { name, ok, seconds } of results) {
  process.stdout.write(`${name.padEnd(width)}  ${ok ? 'ok    ' : 'failed'}  ${seconds.toFixed(1).padStart(6)} s\n`)
}
if (chosen.some(({ name }) => name === 'vitest')) {
  const { passed, failed } = countTests()
  process.stdout.write(`\ntests: ${passed} passed, ${failed} failed\n`)
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1

/** @param {typeof checks[number]} check */
async function run({ name, command: [program, ...args], live = false }) {
  process.stdout.write(`${name} ...\n`)
  const start = performance.now()
  const { code, output } = await execute(program, args, live)
  const ok = code === 0
  if (!ok && !live) process.stdout.write(`${output.trimEnd()}\n`)
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
