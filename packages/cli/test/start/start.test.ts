import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { init, parse } from 'es-module-lexer'
import stringWidth from 'string-width'
import { describe, expect, it, onTestFinished } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ended, freshPlace, program } from '../support/program.js'

describe('nacre', () => {
  it('tells its version', async () => {
    const place = await freshPlace()
    for (const option of ['--version', '-V']) {
      expect(await program.run([option], place)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    }
  })

  it('shows help with examples, exit codes and its commands, in 20 columns too', async () => {
    const place = await freshPlace({ COLUMNS: '20' })
    const { code, stdout, stderr } = await program.run(['--help'], place)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of ['Examples:', 'Exit codes:', '--print', 'Commands:']) expect(stdout).toContain(word)
  })

  it('ends with 2 for a wrong option, and suggests one', async () => {
    const { code, stdout, stderr } = await program.run(['--modle', 'x'], await freshPlace())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe("nacre: unknown option '--modle'\n(Did you mean --model?)\nnacre --help shows what there is.\n")
  })

  it.each([
    [['sesions'], "Did you mean 'nacre sessions'?"],
    [['sesions', '--json'], "Did you mean 'nacre sessions'?"],
    [['--offline', 'sesions'], "Did you mean 'nacre sessions'?"],
    [['lgo', 'latest'], "Did you mean 'nacre log'?"],
    [['help', 'lgo'], "Did you mean 'nacre log'?"],
    [['fix', 'the', 'bug'], 'A prompt of several words needs quotation marks'],
    [['memory', 'lst'], 'Did you mean list?'],
    [['log', 'latest', '--ful'], 'Did you mean --full?'],
  ])('asks back for %j', async (args, words) => {
    const { code, stdout, stderr } = await program.run(args, await freshPlace())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })

  it('shows help when it is asked for by a word', async () => {
    const place = await freshPlace()
    const [all, one] = await Promise.all([program.run(['help'], place), program.run(['help', 'log'], place)])
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes:') })
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('nacre log latest') })
  })

  it.skipIf(process.platform !== 'linux')('says in one line that nothing more can be written', async () => {
    const place = await freshPlace()
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    for (const args of [['--help'], ['sessions'], ['--offline', '-p', 'Hello']]) {
      const child = program.start(args, place, { stdio: ['ignore', full, 'pipe'] })
      const { code, stderr } = await ended(child)
      expect({ args, code }).toEqual({ args, code: 1 })
      expect(stderr).toMatch(/nacre: What was to be said could not be written \(ENOSPC\)\.\n$/)
    }
  })

  it.each([
    ['NACRE_HOME', 'data', 'a whole path'],
    ['XDG_DATA_HOME', 'data', 'a whole path'],
    ['NACRE_CONTEXT_WINDOW', '0x1000', 'a whole number of tokens'],
    ['NACRE_AUTOCOMPACT_PCT', '80%', 'a number from 1 to 100'],
    ['NACRE_FLAGS', 'compact=maybe', 'on, off'],
    ['NACRE_FLAGS', 'compct=on', "Did you mean 'compact'"],
    ['NACRE_MODEL', 'opus-5.5', "Did you mean 'claude-opus-5-5'"],
    ['ANTHROPIC_BASE_URL', 'api.example.com', 'such as https://'],
    ['ANTHROPIC_BASE_URL', 'ftp://example.com', 'such as https://'],
  ])('names %s where it is %j, and ends with 2', async (name, value, expected) => {
    const { cwd, env } = await freshPlace({ ANTHROPIC_API_KEY: 'any' })
    const { NACRE_HOME, ...others } = env
    const given = { ...others, ...(name !== 'XDG_DATA_HOME' && { NACRE_HOME }), [name]: value }
    const { code, stdout, stderr } = await program.run(['-p', 'Hi'], { cwd, env: given })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const word of [...(name === 'NACRE_MODEL' ? [] : [name]), expected]) expect(stderr).toContain(word)
    expect(await readdir(cwd)).toEqual([])
  })

  it('says what to do where there is no terminal to talk in', async () => {
    const { code, stdout, stderr } = await program.run([], await freshPlace())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('stdin is no terminal. For scripts, ask with --print')
  })

  it.skipIf(process.platform === 'win32')(
    'says in a terminal how to go on without a key, in one sentence',
    async () => {
      const { cwd, env } = await freshPlace({ NO_COLOR: '1', TERM: 'xterm-256color' })
      const terminal = spawn(process.execPath, [program.main], { cwd, env: { ...env }, cols: 300 })
      let shown = ''
      terminal.onData((text) => {
        shown += text
      })
      const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve))
      expect(exitCode).toBe(5)
      expect(
        shown.match(/nacre: No model can be reached: .*ANTHROPIC_API_KEY.*ANTHROPIC_BASE_URL.*--offline/g),
      ).toHaveLength(1)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
      expect(shown).not.toMatch(/\u001b\[(3|4|9)\d/)
    },
  )

  it.skipIf(process.platform === 'win32')(
    'shows its first prompt before it makes what measures rare letters',
    async () => {
      const { cwd, env } = await freshPlace({ TERM: 'xterm-256color' })
      const watch = join(cwd, 'watch.mjs')
      const source = `const { Segmenter } = Intl
Intl.Segmenter = function (...given) { process.stdout.write('(segmenter)'); return new Segmenter(...given) }`
      await writeFile(watch, source)
      const terminal = spawn(process.execPath, ['--import', watch, program.main, '--offline'], { cwd, env: { ...env } })
      let shown = ''
      const ended = new Promise((resolve) => terminal.onExit(resolve))
      await new Promise<void>((resolve) => {
        terminal.onData((text) => {
          shown += text
          if (shown.includes('❯')) resolve()
        })
      })
      terminal.kill('SIGKILL')
      await ended
      expect(shown.slice(0, shown.indexOf('❯'))).not.toContain('(segmenter)')
      // The bundle takes it for granted.
      expect(stringWidth('·…❯')).toBe(3)
    },
  )

  it('says nothing where whoever reads has left', async () => {
    const child = program.start(['--help'], await freshPlace())
    child.stdout?.destroy()
    expect(await ended(child)).toMatchObject({ code: 0, stderr: '' })
  })

  it('answers offline, without a key', async () => {
    const { code, stdout } = await program.run(['--offline', '-p', 'List the files'], await freshPlace())
    expect(code).toBe(0)
    expect(stdout).toContain('offline model')
  })

  it('finds the ripgrep that was installed with it', async () => {
    const { stdout } = await program.run(['doctor'], await freshPlace({ PATH: '' }))
    expect(stdout).toMatch(/^ok +ripgrep: ripgrep \d+/m)
  })

  it('is made of files that import nothing but each other and Node', async () => {
    await init
    const folder = dirname(program.main)
    const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const imported = await Promise.all(names.map(async (name) => importsIn(await readFile(join(folder, name), 'utf8'))))
    const all = new Set(imported.flat())
    expect([...all].filter((name) => name.startsWith('./')).length).toBeGreaterThan(20)
    expect([...all].filter((name) => !name.startsWith('./') && !isBuiltin(name))).toEqual(['react-devtools-core'])
  })
})

/** What a bundled file imports when it is loaded, or later by a name that stands in it. */
function importsIn(text: string): readonly string[] {
  const [found] = parse(text)
  return found.flatMap((each) => ('specifier' in each && each.specifier ? [each.specifier] : []))
}
