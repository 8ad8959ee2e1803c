import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PLACE } from '../../src/node/lock.js'
import { leasePlace } from '../../src/node/places.js'
import { bundleChild } from './bundle-child.js'
import { PROJECT, placeOf, projectFolder } from './log-path.js'

const CHILDREN = 20
const DEAD = 2 ** 22 + 1
const folder = mkdtempSync(join(tmpdir(), 'nacre-contenders-'))
let script = ''
beforeAll(async () => {
  script = await bundleChild('contender', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Contender {
  line(): Promise<string>
  say(task: string): void
  end(): Promise<unknown>
}

function contender(home: string): Contender {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [script, home, PROJECT], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    line: async () => (await lines.next()).value ?? 'gone',
    say: (task) => void child.stdin.write(`${task}\n`),
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}

/** What a process leaves that was killed while it held a lock. */
function leaveStaleLock(path: string): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'token'), JSON.stringify({ pid: DEAD, place: PLACE, started: 0 }))
}

async function ask(contenders: readonly Contender[], task: string): Promise<string[]> {
  for (const each of contenders) each.say(task)
  return Promise.all(contenders.map((each) => each.line()))
}

it('lets exactly one of twenty processes take over from a dead one, and no two ever hold a lease at once', async () => {
  const home = join(folder, 'home')
  leaveStaleLock(placeOf(home, 'one').lock)
  leaveStaleLock(leasePlace(projectFolder(home), 'shared'))
  const contenders = Array.from({ length: CHILDREN }, () => contender(home))
  await Promise.all(contenders.map((each) => each.line()))

  const answers = await ask(contenders, 'open')
  expect(answers.toSorted()).toEqual([...Array(CHILDREN - 1).fill('busy'), 'won'])
  expect(await ask(contenders, 'rounds')).toEqual(Array(CHILDREN).fill('held 5'))

  await Promise.all(contenders.map((each) => each.end()))
  expect(readdirSync(join(projectFolder(home), 'locks'))).toEqual([])
})
