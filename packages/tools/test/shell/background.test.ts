import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { expectEnded, expectRunning, idsFrom, PATIENT } from './processes.js'
import { type Shell, startTools } from './start-tools.js'

const WAIT = { wait: 20_000 }
const SHORT = { limits: { grace: 100 } }

/** Starts a command in the background. It goes on when a file of the name given is there. */
async function start({ run }: Shell, command: string): Promise<string> {
  const text = await run(`upon() { until test -e $1; do sleep 0.02; done; }; ${command}`, { run_in_background: true })
  return /as (bash_\d+)\./.exec(text)?.[1] ?? ''
}

describe('a command in the background', () => {
  it('gives what is new at each call, and its exit code at the end', async () => {
    const shell = await startTools()
    const { output, folder } = shell
    const id = await start(shell, 'echo one; upon go; echo two >&2; upon end; exit 3')
    expect(await output(id, WAIT)).toMatch(/^one\n\[bash_1 is running, for .* so far\.\]$/)
    expect(await output(id)).toMatch(/^\[bash_1 is running/)
    await writeFile(join(folder, 'go'), '')
    expect(await output(id, WAIT)).toMatch(/^two\n\[bash_1 is running/)
    await writeFile(join(folder, 'end'), '')
    expect(await output(id, WAIT)).toMatch(/^\[bash_1 has ended: exit code 3, after .*\.\]$/)
    expect(await output(id, WAIT)).toMatch(/^\[bash_1 has ended/)
  })

  it('writes to a file from the start, which nobody else can read', async () => {
    const shell = await startTools()
    const text = await shell.run('echo hello', { run_in_background: true })
    const path = /goes to (\S+)\.$/.exec(text)?.[1] ?? ''
    await shell.output('bash_1', WAIT)
    expect(await readFile(path, 'utf8')).toBe('hello\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('says so when its file is full', async () => {
    const shell = await startTools({ limits: { fileBytes: 10 } })
    const id = await start(shell, 'seq 100')
    await vi.waitFor(() => expect(shell.tools.running()).toEqual([]), PATIENT)
    expect(await shell.output(id)).toMatch(
      /^1\n2\n3\n4\n5\n\[bash_1 has ended: .* What it wrote after 10 bytes could not be kept: only the first 10 bytes are kept\.\]$/,
    )
  })

  it('runs where the last cd led', async () => {
    const shell = await startTools()
    await shell.run('mkdir a; cd a')
    const id = await start(shell, 'pwd')
    expect(await shell.output(id, WAIT)).toContain(`${shell.folder}/a\n`)
  })

  it('has no time limit of its own', async () => {
    const shell = await startTools({ limits: { timeout: 1 } })
    const id = await start(shell, 'echo up; upon go; echo still up')
    await shell.output(id, WAIT)
    await writeFile(join(shell.folder, 'go'), '')
    expect(await shell.output(id, WAIT)).toContain('still up')
  })

  it('may write more than a result has room for: the beginning and the end of what is new', async () => {
    const shell = await startTools({ limits: { resultChars: 3_000 } })
    const id = await start(shell, 'seq 100000 > numbers; cat numbers')
    await vi.waitFor(async () => expect(shell.tools.running()).toEqual([]), PATIENT)
    const text = await shell.output(id)
    expect(text.length).toBeLessThanOrEqual(3_000)
    expect(text).toMatch(/^1\n2\n[\s\S]*of 588,895 bytes are left out here\. [\s\S]*\n100000\n\[bash_1 has ended/)
  })

  it('that leaves processes behind has not ended with its shell', async () => {
    const shell = await startTools(SHORT)
    const id = await start(
      shell,
      '(trap "" TERM; echo $BASHPID > id; exec sleep 1000 >/dev/null 2>&1) & upon id; echo up',
    )
    expect(await shell.output(id, WAIT)).toContain('up\n')
    const ids = await idsFrom(join(shell.folder, 'id'))
    await vi.waitFor(async () => {
      expect(await shell.output(id)).toMatch(/has ended: exit code 0, after .* It has left running: sleep 1000\./)
    }, PATIENT)
    expectRunning(ids)
    expect(await shell.kill(id)).toContain('was ended by KillBash')
    expectEnded(ids)
  })
})

describe('a filter', () => {
  it('gives whole lines that match, and waits for one', async () => {
    const shell = await startTools()
    const { output, folder } = shell
    const id = await start(shell, 'echo noise; printf "half "; upon go; echo ready; echo noise; upon end; printf ready')
    const first = output(id, { ...WAIT, filter: 'rea?dy$' })
    await writeFile(join(folder, 'go'), '')
    expect(await first).toMatch(/^half ready\n\[/)
    await writeFile(join(folder, 'end'), '')
    expect(await output(id, { ...WAIT, filter: 'rea?dy$' })).toMatch(/^ready\n\[bash_1 has ended/)
  })

  it('finds what stands in the part that there would be no room for', async () => {
    const shell = await startTools()
    const id = await start(shell, 'seq 200000; echo last')
    await vi.waitFor(() => expect(shell.tools.running()).toEqual([]), PATIENT)
    expect(await shell.output(id, { filter: '^(100000|last)$' })).toMatch(/^100000\nlast\n\[/)
  })

  it('that is none, or that takes for ever, is refused and takes no output away', async () => {
    const shell = await startTools()
    const id = await start(shell, `echo ${'a'.repeat(40)}b`)
    await vi.waitFor(() => expect(shell.tools.running()).toEqual([]), PATIENT)
    await expect(shell.output(id, { filter: '(' })).rejects.toThrow(/no regular expression/)
    await expect(shell.output(id, { filter: '^(a+)+$' })).rejects.toThrow(/takes too long/)
    expect(await shell.output(id)).toContain('aaab')
  })
})

it('KillBash ends the whole group, the deaf and what has made a session of its own too', async () => {
  const shell = await startTools(SHORT)
  const { folder, kill, output } = shell
  const deaf = (file: string) => `sh -c 'trap "" TERM; echo $$ > ${file}; while :; do sleep 0.05; done'`
  const id = await start(shell, `${deaf('child')} & (setsid ${deaf('daemon')} &); wait`)
  const files = process.platform === 'linux' ? ['child', 'daemon'] : ['child']
  const ids = await idsFrom(...files.map((file) => join(folder, file)))
  expectRunning(ids)
  expect(shell.tools.running()).toMatchObject([{ id }])
  expect(await kill(id)).toMatch(/^bash_1 was ended by KillBash, after/)
  expectEnded(ids)
  expect(shell.tools.running()).toEqual([])
  expect(await kill(id)).toMatch(/^There is nothing to end\./)
  expect(await output(id)).toContain('was ended by KillBash')
})

it('an abort ends the wait, but not the command', async () => {
  const shell = await startTools()
  const id = await start(shell, 'upon never')
  const stop = new AbortController()
  const waiting = shell.output(id, WAIT, { signal: stop.signal })
  stop.abort()
  expect(await waiting).toMatch(/is running/)
})

it('an id that was never given is refused with those that were', async () => {
  const shell = await startTools()
  expect(await shell.output('bash_9')).toBe(
    'There is no command "bash_9" in the background. Nothing was started in the background.',
  )
  await start(shell, 'true')
  expect(await shell.kill('bash_9')).toBe('There is no command "bash_9" in the background. There are: bash_1.')
})
