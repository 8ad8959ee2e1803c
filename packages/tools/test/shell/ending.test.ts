import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ShellTime } from '../../src/index.js'
import { endTree } from '../../src/shell/process-tree.js'
import { realTime } from '../../src/shell/shell-options.js'
import { expectEnded, expectRunning, idsFrom } from './processes.js'
import { startTools } from './start-tools.js'

const SHORT = { limits: { grace: 100 } }
/** Says its id and stays; deaf to the polite signal where told. */
const STAYS = `stays() { $1 sh -c "trap '' $2 INT; echo \\$\\$ > $3; while :; do sleep 0.05; done"; }`
const FAMILY = `${STAYS}
stays '' '' child &
(stays '' '' grandchild & wait) &
stays '' TERM deaf &
set -m; stays '' TERM own-group & set +m
wait`
const FAMILY_FILES = ['child', 'grandchild', 'deaf', 'own-group']

/** A clock that runs as the real one does, but whose long waits end when a test says so. */
function steeredTime(): ShellTime & { up(): void } {
  let up: () => void = () => undefined
  const isUp = new Promise<void>((resolve) => {
    up = resolve
  })
  return {
    now: Date.now,
    wait: (milliseconds, signal) => (milliseconds > 5_000 ? isUp : realTime.wait(milliseconds, signal)),
    up: () => up(),
  }
}

describe('when the time is up', () => {
  it('the whole process group is ended, grandchildren and the deaf too', async () => {
    const time = steeredTime()
    const { result, folder } = await startTools({ ...SHORT, time })
    const done = result(`echo begun; ${FAMILY}`, { timeout: 7_000 })
    const ids = await idsFrom(...FAMILY_FILES.map((file) => join(folder, file)))
    expectRunning(ids)
    time.up()
    const { content, isError } = await done
    expectEnded(ids)
    expect(isError).toBe(true)
    expect(content[0]?.text).toBe(
      'begun\n[Stopped with all its processes after 7 s, its time limit. A command may have a timeout of up to 600000 ms, or run in the background.]',
    )
  })

  it.runIf(process.platform === 'linux')('so are those that have made a session of their own', async () => {
    const time = steeredTime()
    const { run, folder } = await startTools({ ...SHORT, time })
    const daemon = `(stays setsid TERM orphan &) ; stays 'env -i setsid' TERM unmarked & wait`
    const done = run(`${STAYS}\n${daemon}`)
    const ids = await idsFrom(join(folder, 'orphan'), join(folder, 'unmarked'))
    expectRunning(ids)
    time.up()
    await done
    expectEnded(ids)
  })

  it('a real clock does it too', async () => {
    const { run } = await startTools()
    expect(await run('exec sleep 1000', { timeout: 200 })).toMatch(/^\[Stopped with all its processes after 200 ms/)
  })

  it('the limit is two minutes unless told, and ten at most', async () => {
    const waits: number[] = []
    const wait: ShellTime['wait'] = (milliseconds, signal) => {
      waits.push(milliseconds)
      return realTime.wait(milliseconds, signal)
    }
    const { run, tools } = await startTools({ time: { now: Date.now, wait } })
    await run('true')
    expect(waits).toContain(120_000)
    expect(tools.bash.schema.parse({ command: 'x', timeout: 600_000 })).toMatchObject({ timeout: 600_000 })
    expect(() => tools.bash.schema.parse({ command: 'x', timeout: 600_001 })).toThrow(/600000/)
  })

  it('the polite signal is given first', async () => {
    const time = steeredTime()
    const { run, folder } = await startTools({ time })
    const done = run(`trap 'echo tidied up; exit' TERM; echo $$ > id; while :; do sleep 0.05; done`)
    await idsFrom(join(folder, 'id'))
    time.up()
    expect(await done).toMatch(/^(Terminated\n)?tidied up\n\[Stopped/)
  })
})

it('an abort ends the whole group too', async () => {
  const stop = new AbortController()
  const { result, folder } = await startTools(SHORT)
  const done = result(FAMILY, {}, { signal: stop.signal })
  const ids = await idsFrom(...FAMILY_FILES.map((file) => join(folder, file)))
  expectRunning(ids)
  stop.abort()
  expect(await done).toEqual({
    content: [{ type: 'text', text: '[Stopped with all its processes: the call was aborted.]' }],
    isError: true,
  })
  expectEnded(ids)
})

it('a call that is aborted while its command is being started in the background leaves nothing running', async () => {
  const { tools, run } = await startTools()
  const stop = new AbortController()
  const started = run('sleep 1000', { run_in_background: true }, { signal: stop.signal })
  stop.abort()
  await expect(started).rejects.toThrow(/aborted/)
  expect(tools.running()).toEqual([])
})

it('a call that is aborted before it begins starts nothing', async () => {
  const { run, folder } = await startTools()
  await expect(run('touch begun', {}, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await run(`ls ${folder}`)).toBe('(no output)')
})

describe('what a command leaves behind', () => {
  it('does not hold the call up, and is ended with it', async () => {
    const { run, folder } = await startTools(SHORT)
    const text = await run('sleep 1000 & echo $! > id; set -m; sleep 1001 >/dev/null & echo $! > other; echo done')
    const ids = await idsFrom(join(folder, 'id'), join(folder, 'other'))
    expectEnded(ids)
    // One that was ended before it became a sleep is still a part of the shell.
    expect(text).toMatch(
      /^done\n\[Ended with the command: (sleep 1000|a subshell); (sleep 1001|a subshell)\. Use run_in_background for/,
    )
  })

  it.runIf(process.platform === 'linux')('stays when it has made itself a daemon, and is not waited for', async () => {
    const { run, folder } = await startTools()
    const daemon = "setsid sh -c 'echo $$ > id; exec sleep 1000' & until test -s id; do :; done"
    const text = await run(`${daemon}; sleep 1001 & echo up`)
    const [id = 0] = await idsFrom(join(folder, 'id'))
    onTestFinished(() => void process.kill(id))
    expectRunning([id])
    expect(text).toMatch(/^up\n\[Ended with the command: (sleep 1001|a subshell)\. /)
  })
})

it('without /proc the group is ended all the same', async () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('freebsd')
  onTestFinished(() => platform.mockRestore())
  const stop = new AbortController()
  const { run, folder } = await startTools(SHORT)
  const done = run(`${STAYS}\nstays '' '' child & stays '' TERM deaf & wait`, {}, { signal: stop.signal })
  const ids = await idsFrom(join(folder, 'child'), join(folder, 'deaf'))
  expectRunning(ids)
  stop.abort()
  await done
  expect(await run('sleep 1000 & echo up')).toMatch(/^up\n\[Ended with the command: process group \d+\./)
  // Here it is known again which of them only wait to be collected.
  platform.mockRestore()
  expectEnded(ids)
})

it('says so when something can not be ended', async () => {
  const signals: unknown[] = []
  const tree = { left: () => [], shellEnded: () => undefined, signal: (name: unknown) => signals.push(name) > 0 }
  const time = { now: Date.now, wait: () => undefined }
  expect(await endTree(tree, { whom: 'all', grace: 100, time })).toBe(false)
  expect([signals[0], signals.at(-1)]).toEqual(['SIGTERM', 'SIGKILL'])
})

describe('a close', () => {
  it('ends what runs, and nothing starts any more', async () => {
    const { run, tools, folder } = await startTools(SHORT)
    const done = run(FAMILY)
    const ids = await idsFrom(...FAMILY_FILES.map((file) => join(folder, file)))
    await tools.close()
    expectEnded(ids)
    await done
    await expect(run('true')).rejects.toThrow(/closed/)
  })
})
