import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ControlGroup, controlGroup } from '../../src/sandbox/control-group.js'

const bounds = { processes: 50, memory: 512 * 1024 * 1024, accepts: async () => true }
const made: ControlGroup[] = []

afterEach(async () => {
  for (const group of made.splice(0)) await group.close()
})

// Who may make groups is root, or somebody to whom a part of them was given.
const probe = await controlGroup({ ...bounds, accepts: async (group) => (await enter(group)) !== undefined })
await probe?.close()

describe.skipIf(!probe)('a control group, where one can be made', () => {
  it('is removed with what still runs in it', async () => {
    const group = await make()
    const child = await enter(group)
    if (!child) throw new Error('nothing has joined')
    const end = once(child, 'exit')
    await group.close()
    expect(await end).toEqual([null, 'SIGKILL'])
    expect(existsSync(dirname(group.entrance))).toBe(false)
  })

  it('is removed by the next program when its own was killed', async () => {
    const { entrance, name } = await make()
    const { pid: gone } = spawnSync(process.execPath, ['-e', ''])
    const left = join(dirname(dirname(entrance)), name.replace(`-${process.pid}-`, `-${gone}-`))
    mkdirSync(left)
    await make()
    expect(existsSync(left)).toBe(false)
  })

  it('is left alone while its program lives, or when nobody here can know', async () => {
    const first = await make()
    const foreign = join(dirname(dirname(first.entrance)), first.name.replace(/^nacre-\d+/, 'nacre-1'))
    mkdirSync(foreign)
    const second = await make()
    expect([first.entrance, second.entrance, foreign].map(existsSync)).toEqual([true, true, true])
    rmdirSync(foreign)
  })

  it('is none when a process does not get into it', async () => {
    let folder = ''
    const accepts = async ({ entrance }: ControlGroup) => {
      folder = dirname(entrance)
      return false
    }
    expect(await controlGroup({ ...bounds, accepts })).toBeUndefined()
    expect([basename(folder).startsWith('nacre-'), existsSync(folder)]).toEqual([true, false])
  })
})

describe.skipIf(process.platform !== 'linux')('a control group', () => {
  it('is none where the kernel shows no groups, or what shows them is something else', async () => {
    const root = mkdtempSync(join(tmpdir(), 'nacre-groups-'))
    expect(await controlGroup({ ...bounds, root: join(root, 'none') })).toBeUndefined()
    for (const folder of [root, join(root, 'pids')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'cgroup.controllers'), 'memory pids')
    }
    expect(await controlGroup({ ...bounds, root })).toBeUndefined()
    rmSync(root, { recursive: true })
  })
})

async function make(): Promise<ControlGroup> {
  const group = await controlGroup(bounds)
  if (!group) throw new Error('no group could be made')
  made.push(group)
  return group
}

/** A process that waits in the group. */
async function enter({ entrance }: ControlGroup): Promise<ChildProcess | undefined> {
  const child = spawn('/bin/sh', ['-c', 'echo 0 >"$0" && echo in && exec cat', entrance], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const said = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => undefined)])
  return said && child
}
