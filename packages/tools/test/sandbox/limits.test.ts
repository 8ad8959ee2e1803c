import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { type CageLimits, type CageLimitsOptions, cageLimits } from '../../src/sandbox/limits.js'

const MEGABYTE = 1024 * 1024
const made: CageLimits[] = []

afterEach(async () => {
  for (const limits of made.splice(0)) await limits.close()
})

describe.skipIf(process.platform !== 'linux')('the limits of cages', () => {
  it('let a command start no more processes than it may', async () => {
    const limits = await make({ processes: 50 })
    const asked = running() + 400
    // As root without any way to count processes there is none to bound them, and it is said so.
    const isBounded = !limits.reason.startsWith('Nothing')
    const started = Number(await output(limits, process.execPath, '-e', START, String(asked)))
    expect(started).toBeGreaterThan(10)
    expect(started < asked).toBe(isBounded)
  })

  it('bound the processes of root by a namespace where there is no group', async () => {
    const limits = await make({ processes: 50, ways: ['namespace'] })
    const isBounded = limits.reason.startsWith('A namespace')
    const outside = readFileSync('/proc/sys/kernel/pid_max', 'utf8')
    const most = await output(limits, 'cat', '/proc/sys/kernel/pid_max')
    expect(most === outside).toBe(!isBounded)
    expect(readFileSync('/proc/sys/kernel/pid_max', 'utf8')).toBe(outside)
  })

  it('end a command that wants more memory than it may have, and not one that reserves it only', async () => {
    const limits = await make({ memory: 512 * MEGABYTE, ways: [] })
    const hog =
      'const all = []; for (let i = 0; i < 64; i++) all.push(Buffer.alloc(16 * 1024 * 1024, 1)); console.log("kept")'
    await expect(output(limits, process.execPath, '-e', hog)).rejects.toThrow()
    const reserves =
      'for (let i = 0; i < 20; i++) new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log("kept")'
    expect(await output(limits, process.execPath, '--max-old-space-size=4096', '-e', reserves)).toBe('kept\n')
  })

  it('are what a process finds, with its arguments as they were', async () => {
    const before = running()
    const limits = await make({ processes: 10_000, memory: 512 * MEGABYTE, ways: [] })
    const said = await output(limits, 'cat', '/proc/self/limits', '/proc/self/oom_score_adj')
    const most = Number(/^Max processes +(\d+)/m.exec(said)?.[1])
    expect(most).toBeLessThan(before + 11_000)
    expect(said).toMatch(new RegExp(`^Max data size +${512 * MEGABYTE} `, 'm'))
    expect(said.trim().split('\n').at(-1)).toBe('1000')
    expect(await output(limits, 'printf', '<%s>', 'a b', '', '$HOME', '-n')).toBe('<a b><><$HOME><-n>')
  })

  it('end as the command ends', async () => {
    for (const ways of [['control group'], ['namespace'], []] as const) {
      const limits = await make({ ways })
      await expect(output(limits, '/bin/sh', '-c', 'exit 7')).rejects.toMatchObject({ code: 7 })
    }
  })
})

/** Starts as many processes as it is let, one after the other, and prints how many; they end with it. */
const START = `
const { spawn } = require('node:child_process')
let started = 0
const end = () => process.stdout.write(String(started), () => process.exit())
const next = () => {
  if (started === Number(process.argv[1])) return end()
  spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] }).once('error', end).once('spawn', () => {
    started++
    next()
  })
}
next()
`

/** Processes and threads of this machine. */
function running(): number {
  return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1])
}

async function make(options: CageLimitsOptions): Promise<CageLimits> {
  const limits = await cageLimits(options)
  made.push(limits)
  return limits
}

async function output(limits: CageLimits, ...command: string[]): Promise<string> {
  const [program = '', ...args] = [...limits.words(), ...command]
  return (await promisify(execFile)(program, args)).stdout
}
