import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPermissions } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { bashTool } from './bash-tool.js'
import { TRICKS } from './corpus.js'

const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path))

/** A folder whose only programs write down that they were called. */
async function stage() {
  const folder = await temporaryFolder()
  const programs = join(folder, 'programs')
  const work = join(folder, 'work')
  const calls = join(folder, 'calls')
  for (const path of [programs, work, calls]) await mkdir(path)
  for (const name of ['rm', 'ls', 'git', 'cat', 'x']) {
    await writeFile(join(programs, name), `#!${BASH}\n: > ${calls}/${name}\n`)
    await chmod(join(programs, name), 0o755)
  }
  const run = (command: string) =>
    spawnSync(BASH ?? 'bash', ['-c', command], { cwd: work, env: { PATH: programs }, timeout: 5000, input: '' })
  return { work, called: () => readdir(calls), run }
}

const PIECES =
  "git|diff| |  |\"|'|$(|)|`|\\|\n|;|&&|\\||&|>|<|<<|{|}|[[|]]|((|))|$|rm x|rm|#|*|=|x|for|do|done|in|echo|ls|$'|\\x72m|${|:-|-eq|a[|]|!|EOF|if|then|fi|case|esac|;;"
const pieces = fc.constantFrom(...PIECES.split(/(?<!\\)\|/).map((piece) => (piece === '\\|' ? '|' : piece)))

it.skipIf(!BASH)(
  'allows no random text with which a real shell runs what was not allowed, or writes',
  async () => {
    const { work, called, run } = await stage()
    const { tool } = bashTool()
    const live = createPermissions({ rules: { allow: ['Bash(git diff:*)', 'Bash(echo:*)', 'Bash(ls:*)'] } })
    let ran = 0
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), (texts) => {
        const command = `echo ${texts.join(' ')}`
        for (const text of [command, `ls${texts.join('')}`, `git diff ${texts.join('')}`]) {
          if (live.judge({ id: 'call', name: 'Bash', input: { command: text } }, tool, work).verdict !== 'allow')
            continue
          ran++
          run(text)
        }
      }),
      { seed: 7, numRuns: 1500 },
    )
    expect(ran).toBeGreaterThan(50)
    expect(await called()).not.toContain('rm')
    expect(await called()).not.toContain('x')
    expect(await readdir(work)).toEqual([])
  },
  60_000,
)

it.skipIf(!BASH)(
  'fears tricks that are real: a real shell would have run the forbidden command',
  async () => {
    const { called, run } = await stage()
    const tricks = TRICKS.find(({ kind }) => kind === 'a command inside of an argument')?.commands ?? []
    for (const command of tricks.filter((text) => /^(git diff|echo) [$"`<]/.test(text))) run(command)
    expect(await called()).toContain('rm')
  },
  60_000,
)
