import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { printRows } from './print-rows.mjs'

// Each number is a ratio of two times taken in turns in the same run: the program against Node with nothing to do. The
// first prompt is there when the place to type in is on the screen of a pseudo-terminal.
const ROUNDS = 15
const PROMPT = '❯'
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'nacre-start-'))
const env = { PATH: process.env.PATH, HOME: home, NACRE_HOME: join(home, 'nacre'), TERM: 'xterm-256color' }

const programs = {
  node: () => untilEnd(['-e', '0']),
  version: () => untilEnd([main, '--version']),
  help: () => untilEnd([main, '--help']),
  prompt: () => untilPrompt([main, '--offline']),
  answer: () => untilEnd([main, '--offline', '-p', 'Hello']),
}

/** @type {Record<keyof typeof programs, number[]>} */
const times = { node: [], version: [], help: [], prompt: [], answer: [] }
try {
  // The first round fills the caches of the disk.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, start] of Object.entries(programs)) {
      const milliseconds = await start()
      if (round > 0) times[name].push(milliseconds)
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

process.exitCode = printRows([
  row('nacre --version, against node -e 0', 'version', 2),
  row('nacre to its first prompt, against node -e 0', 'prompt', 5),
  row('nacre --help, against node -e 0', 'help'),
  row('nacre --offline -p, to its end, against node -e 0', 'answer'),
])

/** @param {string} name @param {keyof typeof programs} program @param {number} [limit] */
function row(name, program, limit) {
  const ratios = times[program].map((milliseconds, round) => milliseconds / times.node[round])
  return { name, ratio: median(ratios), limit, detail: `${median(times[program]).toFixed(0)} ms` }
}

/** @param {readonly string[]} args @returns {Promise<number>} */
function untilEnd(args) {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, cwd: home, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`${args.join(' ')} ended with ${code}.`)),
    )
  })
}

/** @param {readonly string[]} args @returns {Promise<number>} */
function untilPrompt(args) {
  const began = performance.now()
  const terminal = spawnTerminal(process.execPath, [...args], { env, cwd: home, cols: 80, rows: 24 })
  return new Promise((resolve, reject) => {
    let shown = ''
    let milliseconds = 0
    terminal.onData((text) => {
      shown += text
      if (milliseconds > 0 || !shown.includes(PROMPT)) return
      milliseconds = performance.now() - began
      terminal.kill('SIGKILL')
    })
    terminal.onExit(() =>
      milliseconds > 0 ? resolve(milliseconds) : reject(new Error(`There is no prompt on the screen:\n${shown}`)),
    )
  })
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}
