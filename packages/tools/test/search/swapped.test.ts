import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tool } from '@nacre/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPermissions, type PathGuard, type SearchOptions, searchTools, textOf } from '../../src/index.js'
import { findRipgrep } from '../../src/search/ripgrep.js'
import { scriptGlob, scriptGrep } from '../../src/search/script-search.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { glob, grep, WAYS } from './ask.js'

/** A workspace with a folder and a file, and a place outside of it with files of the same names. */
async function scene() {
  const folder = await temporaryFolder()
  const [cwd, outside] = [join(folder, 'work'), join(folder, 'outside')]
  for (const place of [join(cwd, 'src'), join(cwd, 'files'), outside]) mkdirSync(place, { recursive: true })
  writeFileSync(join(cwd, 'src/a.txt'), 'mine\n')
  writeFileSync(join(cwd, 'files/b.txt'), 'mine\n')
  writeFileSync(join(outside, 'a.txt'), 'secret\n')
  writeFileSync(join(outside, 'key.txt'), 'secret\n')
  return { cwd, outside }
}

/** A folder becomes a link to the place outside, and what takes that back. */
function swap(cwd: string, outside: string): () => void {
  const path = join(cwd, 'src')
  renameSync(path, `${path}-real`)
  symlinkSync(outside, path)
  return () => {
    unlinkSync(path)
    renameSync(`${path}-real`, path)
  }
}

const IN_SRC = [
  { pattern: '.', path: 'src', output_mode: 'content' },
  { pattern: '.', path: 'src/a.txt', output_mode: 'content' },
  { pattern: '.', glob: 'src/*', output_mode: 'content' },
]

describe.skipIf(process.platform !== 'linux')('a folder that becomes a link', () => {
  for (const { way, options } of WAYS) {
    it(`after the guard has agreed leads no search elsewhere, by ${way}`, async () => {
      for (const input of IN_SRC) {
        const { cwd, outside } = await scene()
        let isSwapped = false
        const guard: PathGuard = {
          verify() {
            if (!isSwapped) swap(cwd, outside)
            isSwapped = true
          },
        }
        expect(await grep(cwd, input, { ...options, guard })).toMatch(/was moved while|leads out of|No matches found/)
      }
      const { cwd, outside } = await scene()
      const guard: PathGuard = { verify: () => void swap(cwd, outside) }
      expect(await glob(cwd, { pattern: '*', path: 'src' }, { ...options, guard })).toMatch(
        /was moved while|leads out of/,
      )
    })
  }

  it('while ripgrep runs, and is none again afterwards, gives it nothing to find', async ({ skip }) => {
    const ripgrep = await findRipgrep()
    if (!ripgrep) return skip('there is no ripgrep')
    const { cwd, outside } = await scene()
    const [src, real] = [join(cwd, 'src'), join(cwd, 'src-real')]
    // It follows links, as if it had lost the race each time.
    const program = join(cwd, '..', 'losing')
    const lines = [
      '#!/bin/sh',
      `mv '${src}' '${real}'; ln -s '${outside}' '${src}'`,
      `'${ripgrep}' --follow "$@"; code=$?`,
    ]
    writeFileSync(program, [...lines, `rm '${src}'; mv '${real}' '${src}'; exit $code`, ''].join('\n'), { mode: 0o755 })
    const guard: PathGuard = { verify: () => undefined }
    const ask = (input: object) =>
      grep(cwd, { pattern: '.', output_mode: 'content', ...input }, { ripgrep: program, guard })
    expect(await ask({})).toBe('files/b.txt\n1:mine\n\nsrc/a.txt\n1:mine')
    expect(await ask({ path: 'src' })).toBe('src/a.txt\n1:mine')
    expect(await ask({ path: 'src/a.txt' })).toBe('src/a.txt\n1:mine')
    expect(await ask({ pattern: 'secr', output_mode: 'count' })).toBe('No matches found.')
    expect(await ask({ pattern: 'secr', output_mode: 'files_with_matches' })).toBe('No matches found.')
    expect(await ask({ output_mode: 'count', head_limit: 1 })).toContain('1 of 2; 1 more')
    const found = await glob(cwd, { pattern: '**/*.txt' }, { ripgrep: program, guard })
    expect(found.split('\n').sort()).toEqual(['files/b.txt', 'src/a.txt'])
  })

  it('while the search in JavaScript walks, gives it nothing to read', async () => {
    const { cwd, outside } = await scene()
    const { signal } = new AbortController()
    const restores: (() => void)[] = []
    const accepts = (path: string) => {
      if (path === 'src/a.txt' && restores.length === 0) restores.push(swap(cwd, outside))
      return true
    }
    const filter = { base: '.', isHidden: false, accepts }
    const question = {
      root: cwd,
      filter,
      pattern: '.',
      mode: 'content',
      ignoresCase: false,
      isMultiline: false,
    } as const
    const { found } = await scriptGrep({ ...question, before: 0, after: 0, wanted: 100, budget: 1_000_000 }, signal)
    expect(found.map(({ path, body }) => `${path}:${body}`)).toEqual(['files/b.txt:1:mine\n'])
    const { paths } = await scriptGlob({ root: cwd, filter, limit: 100 }, signal)
    expect(paths).not.toContain('src/a.txt')
    expect(paths).not.toContain('src/key.txt')
  })
})

const ROUNDS = process.env.NACRE_SOAK === '1' ? 1_000 : 40

describe.skipIf(process.platform === 'win32')('while a program swaps folders and files for links', () => {
  for (const { way, options } of WAYS) {
    it(`a search shows nothing of where they lead, by ${way}`, async () => {
      const { cwd, outside } = await scene()
      const swapper = spawn(process.execPath, [fileURLToPath(new URL('./swapper.mjs', import.meta.url)), cwd, outside])
      onTestFinished(async () => {
        swapper.kill('SIGKILL')
        await once(swapper, 'close')
      })
      await once(swapper.stdout, 'data')
      const live = createPermissions({ rules: { deny: [`Read(${outside}/**)`] } })
      const leaks = []
      let judged = 0
      for (let round = 0; round < ROUNDS; round++) {
        for (const ask of ASKED) {
          const { allowed, shown } = await judgedSearch(live, cwd, ask, options)
          judged += allowed ? 1 : 0
          if (/secret|key/.test(shown)) leaks.push({ ask, shown })
        }
      }
      expect(leaks).toEqual([])
      expect(judged).toBeGreaterThan(0)
    })
  }
})

const ASKED = [
  { name: 'Grep', input: { pattern: '.', path: 'src', output_mode: 'content' } },
  { name: 'Grep', input: { pattern: '.', path: 'src/a.txt', output_mode: 'content' } },
  { name: 'Grep', input: { pattern: 'secr', output_mode: 'count' } },
  { name: 'Grep', input: { pattern: '.', glob: 'files/*', output_mode: 'content' } },
  { name: 'Glob', input: { pattern: '**/*', path: 'src' } },
] as const
let calls = 0

async function judgedSearch(
  live: ReturnType<typeof createPermissions>,
  cwd: string,
  { name, input }: (typeof ASKED)[number],
  options: SearchOptions,
): Promise<{ readonly allowed: boolean; readonly shown: string }> {
  const tools = searchTools({ ...options, guard: live.guard })
  const tool = (name === 'Grep' ? tools.grep : tools.glob) as unknown as Tool
  const id = `call-${++calls}`
  const { verdict } = live.judge({ id, name, input }, tool, cwd)
  if (verdict !== 'allow') return { allowed: false, shown: '' }
  const context = { callId: id, cwd, signal: new AbortController().signal, progress: () => undefined }
  try {
    const parsed = tool.schema.parse(input) as never
    const shown = textOf(await tool.run(parsed, context))
    return { allowed: true, shown }
  } catch {
    return { allowed: true, shown: '' }
  }
}
