import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.js'

/** A repository that means ill, and one that is the same but for that. */
export interface Strange {
  readonly strange: string
  readonly plain: string
  /** A program that leaves a mark under a name when it is started. */
  program(name: string): string
  /** The names of the programs that were started. */
  marks(): string[]
  /** Variables of a person: their home, names and times. */
  readonly env: Readonly<Record<string, string>>
  git(folder: string, args: readonly string[], more?: Readonly<Record<string, string>>, input?: string): GitRun
}

interface GitRun {
  readonly output: string
  readonly complaint: string
  readonly code: number | null
}

const ATTRIBUTES = '*.txt diff=evil merge=evil filter=evil\n*.other filter=other\n*.sub filter=sub\n'

/** Makes both, on two branches that are at odds, with a changed file in the working tree. */
export async function strangeRepository(): Promise<Strange> {
  const root = await temporaryFolder()
  const [home, marks, programs] = ['home', 'marks', 'programs'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [home, marks, programs]) mkdirSync(folder)
  const when = '2024-01-01T00:00:00Z'
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_DATE: when,
    EDITOR: 'true',
  }
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  )
  const git: Strange['git'] = (cwd, args, more = {}, input = '') => {
    const { stdout, stderr, status } = spawnSync('git', args, {
      cwd,
      env: { ...env, ...more },
      encoding: 'utf8',
      input,
    })
    return { output: stdout, complaint: stderr, code: status }
  }
  const strange = join(root, 'strange')
  mkdirSync(strange)
  const must = (...args: string[]) => {
    const { code, complaint } = git(strange, args)
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${complaint}`)
  }
  must('init', '--quiet')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(strange, path)), { recursive: true })
    writeFileSync(join(strange, path), text)
  }
  write('.gitattributes', ATTRIBUTES)
  write('a.txt', 'one\ntwo\nthree\n')
  write('b.other', 'other\n')
  write('folder/c d.txt', 'deep\n')
  write('data.bin', '\0\x01\x02')
  must('add', '.')
  must('commit', '--quiet', '-m', 'first')
  must('checkout', '--quiet', '-b', 'side')
  write('a.txt', 'one\nside\nthree\n')
  must('commit', '--quiet', '-am', 'side')
  must('checkout', '--quiet', 'main')
  write('a.txt', 'one\nmain\nthree\n')
  write('gone.txt', 'gone\n')
  must('add', '.')
  must('commit', '--quiet', '-am', 'main')
  const plain = join(root, 'plain')
  cpSync(strange, plain, { recursive: true })
  return {
    strange,
    plain,
    env,
    git,
    program(name) {
      const path = join(programs, name)
      writeFileSync(path, `#!/bin/sh\necho >> '${join(marks, name)}'\nexit 0\n`)
      chmodSync(path, 0o755)
      return path
    },
    marks: () => (existsSync(marks) ? readdirSync(marks).sort() : []),
  }
}
