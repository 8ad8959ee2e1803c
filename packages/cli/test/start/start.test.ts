import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { bundledProgram, ended, freshPlace } from '../support/program.js'

const program = bundledProgram()

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

  it('asks back for a command with a slip in it', async () => {
    const { code, stderr } = await program.run(['sesions'], await freshPlace())
    expect(code).toBe(2)
    expect(stderr).toContain("Did you mean 'nacre sessions'?")
  })

  it('says what to do where there is no terminal to talk in', async () => {
    const { code, stdout, stderr } = await program.run([], await freshPlace())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('stdin is no terminal. For scripts, ask with --print')
  })

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

  it('is made of files that import nothing but each other and Node', async () => {
    const folder = dirname(program.main)
    const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'))
    const imported = await Promise.all(names.map(async (name) => importsIn(await readFile(join(folder, name), 'utf8'))))
    const others = [...new Set(imported.flat())].filter((name) => !name.startsWith('./') && !isBuiltin(name))
    expect(others).toEqual(['react-devtools-core'])
  })
})

/** What a bundled file imports when it is loaded, or later; only lines that esbuild writes begin like this. */
function importsIn(text: string): readonly string[] {
  const found = text.matchAll(/^(?:import|export)\b[^'"\n;]*?(?:from )?"([^"\n]+)";?$|\bimport\("([\w@./:-]+)"\)/gm)
  return [...found].map(([, loaded, later]) => loaded ?? later ?? '')
}
