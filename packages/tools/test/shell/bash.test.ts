import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findShell } from '../../src/shell/shell.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startTools } from './start-tools.js'

describe('a result', () => {
  it('has both streams in the order of arrival', async () => {
    const { result } = await startTools()
    const command = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done'
    expect(await result(command)).toEqual({
      content: [{ type: 'text', text: 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3' }],
    })
  })

  it('has what is written to the streams by their names', async () => {
    const { run } = await startTools()
    expect(await run('echo a > /dev/stderr; echo b | tee /dev/stderr; echo c > /dev/stdout')).toBe('a\nb\nb\nc')
  })

  it('is an error with the output and the code where the code is not 0', async () => {
    const { result } = await startTools()
    expect(await result('echo half; exit 3')).toEqual({
      content: [{ type: 'text', text: 'half\n[Exit code 3.]' }],
      isError: true,
    })
  })

  it('names the signal that ended the shell, and the one that ended a command in it', async () => {
    const { run } = await startTools()
    expect(await run('kill -9 $$')).toBe('[Ended by SIGKILL.]')
    expect(await run("sh -c 'kill -SEGV $$'")).toContain('[Exit code 139, as after SIGSEGV.]')
  })

  it('keeps the spaces at its beginning', async () => {
    const { run } = await startTools()
    expect(await run('echo "  indented"')).toBe('  indented')
  })

  it('says so when nothing was written', async () => {
    const { run } = await startTools()
    expect(await run('true')).toBe('(no output)')
  })

  it('has no colour codes, and no bytes that are no text', async () => {
    const { run } = await startTools()
    const command = String.raw`printf '\033[1;31mred\033[0m \033]8;;file:///a b\033\\link\033]8;;\033\\ \377\303\251 \000end'`
    expect(await run(command)).toBe('red link \uFFFDé \uFFFDend')
  })

  it('counts the lines of a command from 1', async () => {
    const { run } = await startTools()
    expect(await run('true\nnope-nope')).toContain('line 2: nope-nope')
  })
})

describe('a command', () => {
  it('may be longer than an argument can be', async () => {
    const { run } = await startTools()
    expect(await run(`cat <<'END' | wc -c\n${'x'.repeat(300_000)}\nEND`)).toBe('300001')
  })

  it('is not found by its own pkill', async () => {
    const { run } = await startTools()
    expect(await run('pkill -f some-server-that-is-not-there; echo $?')).toBe('1')
  })

  it('runs with sh where there is no bash', async () => {
    const { run } = await startTools({ program: '/bin/sh' })
    expect(await run('cd /; echo here >&2; exit 4')).toBe('here\n[Exit code 4.]\n[The working folder is now /.]')
    expect(await run('pwd')).toBe('/')
  })

  it('is refused with a NUL in it, since a shell would read another command', async () => {
    const { tools } = await startTools()
    expect(() => tools.bash.schema.parse({ command: 'r\0m x' })).toThrow(/NUL/)
  })

  it('says what is missing when the shell is not there', async () => {
    const { run } = await startTools({ program: '/no/such/shell' })
    await expect(run('true')).rejects.toThrow(/\/no\/such\/shell could not be started/)
  })

  it('runs where no pipe can be made by name', async () => {
    const { run } = await startTools({ environment: { PATH: process.env.PATH }, program: findShell() })
    vi.stubEnv('PATH', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await run('echo out; echo err >&2; exit 2')).toBe('out\nerr\n[Exit code 2.]')
  })

  it('finds what was added to the environment, and not what was taken out', async () => {
    const { run } = await startTools({ environment: { ADDED: 'yes', HOME: undefined } })
    expect(await run('echo $ADDED $(printenv HOME || echo none)')).toBe('yes none')
  })
})

describe('the working folder', () => {
  it('is kept from call to call, however a command ends; variables are not', async () => {
    const { run, folder } = await startTools()
    expect(await run('pwd')).toBe(folder)
    expect(await run('mkdir a b; cd a; export X=1')).toBe(`[The working folder is now ${folder}/a.]`)
    expect(await run('pwd; printenv X || echo none; cd ../b; exit 2')).toContain(`${folder}/a\nnone\n[Exit code 2.]`)
    expect(await run('pwd')).toBe(`${folder}/b`)
    expect(await run('(cd ../a); set -e; cd ../a; false; cd ..')).toContain(`now ${folder}/a`)
  })

  it('may have any name', async () => {
    const { run, folder } = await startTools()
    await run(`mkdir 'a "b"\n$c'; cd a*`)
    expect(await run('pwd')).toBe(`${folder}/a "b"\n$c`)
  })

  it('goes back, with a note, when it is gone', async () => {
    const { run, folder } = await startTools()
    await run('mkdir a; cd a')
    await rm(join(folder, 'a'), { recursive: true })
    expect(await run('pwd')).toBe(`${folder}\n[The working folder ${folder}/a is gone: this ran in ${folder}.]`)
    expect(await run('pwd')).toBe(folder)
  })

  it('goes back, with a note, when a command leaves it outside of the workspace, through a link too', async () => {
    const root = await temporaryFolder()
    const outside = await temporaryFolder()
    await mkdir(join(root, 'inside'))
    await symlink(outside, join(root, 'way-out'))
    const { run } = await startTools({ roots: [root] })
    const at = { cwd: root }
    const note = `[The working folder was set back to ${root}: ${outside} is outside of the workspace.]`
    expect(await run('cd inside', {}, at)).toContain('now')
    expect(await run(`cd ${outside}`, {}, at)).toBe(note)
    expect(await run('pwd; cd way-out', {}, at)).toBe(`${root}\n${note}`)
    expect(await run('pwd', {}, at)).toBe(root)
  })

  it('says so when there is none at all', async () => {
    const { run, folder } = await startTools()
    await expect(run('true', {}, { cwd: join(folder, 'none') })).rejects.toThrow(/none does not exist/)
  })

  it('is not moved by what may run beside others', async () => {
    const { tools, run, folder } = await startTools({ isReadOnlyCommand: () => true })
    expect(tools.bash.isConcurrencySafe({ command: 'ls' })).toBe(true)
    for (const command of ['cd a', 'true && pushd a', '(cd a; ls)']) {
      expect(tools.bash.isConcurrencySafe({ command })).toBe(false)
    }
    await writeFile(join(folder, 'move'), 'c\\d /')
    expect(await run('. ./move')).toBe('(no output)')
    expect(await run('pwd')).toBe(folder)
  })
})

describe('for people', () => {
  it('a call is titled by its description, or by the first line of the command', async () => {
    const { tools } = await startTools()
    expect(tools.bash.title({ command: 'ls -l', description: 'List the files' })).toBe('List the files')
    expect(tools.bash.title({ command: 'ls -l\npwd' })).toBe('$ ls -l …')
  })

  it('a result is shown by a few lines and the exit code', async () => {
    const { tools, result } = await startTools()
    const shown = tools.bash.show({ command: 'x' }, await result('seq 100; exit 7'))
    expect(shown).toBe('1\n2\n3\n4\n… 96 more lines\n[Exit code 7.]')
    expect(tools.bash.show({ command: 'x' }, await result('echo one'))).toBe('one')
  })

  it('a question shows the whole command, and nothing in it can hide', async () => {
    const { tools } = await startTools({ isReadOnlyCommand: (command) => command === 'ls' })
    const check = (command: string) => tools.bash.check?.({ command }, {} as never)
    expect(check('rm -r x\u001b[2K\rls')).toEqual({
      verdict: 'ask',
      reason: 'Run in the shell: rm -r x\\u001b[2K\\u000dls',
    })
    expect(check('ls')).toBeUndefined()
  })
})

it('does not lead a command to where the shell of the person has been before', async () => {
  const elsewhere = await temporaryFolder()
  vi.stubEnv('OLDPWD', elsewhere)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { run } = await startTools()
  expect(await run('cd -')).toMatch(/OLDPWD not set/)
  expect(await run('cd / && cd - && pwd')).not.toContain(elsewhere)
})
