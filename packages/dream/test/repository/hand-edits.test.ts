import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openRepository } from '../../src/repository/repository.js'
import type { Repository } from '../../src/repository/types.js'
import { CAUSE, diskFiles, gitProblems, newFolder, newRepository, ticking, write } from './test-folder.js'

function edit(repository: Repository, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(repository.path, path)), { recursive: true })
  writeFileSync(join(repository.path, path), text)
}

it('commits edits, new files and removals by hand as one commit with their names', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n', 'b.md': 'two\n' })
  edit(repository, 'a.md', 'ONE\n')
  edit(repository, 'new/c.md', 'three\n')
  rmSync(join(repository.path, 'b.md'))
  const { commit, files } = await repository.snapshot()
  expect((await repository.find(commit)).cause).toEqual({
    by: 'hand',
    summary: 'Edited by hand: a.md, new/c.md, b.md',
    details: ['Changed a.md', 'Added new/c.md', 'Removed b.md'],
  })
  expect([...files.keys()]).toEqual(['.gitignore', 'a.md', 'new/c.md'])
  expect((await repository.snapshot()).commit).toBe(commit)
  expect(await gitProblems(repository.path)).toBe('')
})

it('shows what was just saved without a commit', async () => {
  const repository = await newRepository()
  edit(repository, 'a.md', 'saved\n')
  expect((await repository.files()).get('a.md')).toBe('saved\n')
  expect(await repository.log()).toHaveLength(1)
})

it('notices each of many edits that follow at once and have the same size', async () => {
  const repository = await newRepository()
  for (let number = 10; number < 40; number++) {
    edit(repository, 'a.md', `${number}\n`)
    expect((await repository.snapshot()).files.get('a.md')).toBe(`${number}\n`)
  }
})

it('leaves alone what is no text, too large, ignored, or no memory', async () => {
  const repository = await newRepository()
  edit(repository, '.gitignore', '.nacre/\n.consolidate-lock\ndrafts/\n')
  const others = {
    'binary.md': Buffer.from([104, 0, 105]),
    'latin.md': Buffer.from([0xe4, 0xf6]),
    'huge.md': Buffer.alloc(1_000_001, 'x'),
    'drafts/a.md': Buffer.from('ignored\n'),
    'photo.png': Buffer.from('not really'),
    '.consolidate-lock': Buffer.from('1\n'),
    '.GIT/a.md': Buffer.from('no\n'),
  }
  for (const [path, data] of Object.entries(others)) edit(repository, path, data)
  expect([...(await repository.snapshot()).files.keys()]).toEqual(['.gitignore'])
  await expect(write(repository, { 'binary.md': 'text\n' })).rejects.toThrow('no part of memory')
  await expect(write(repository, { 'photo.png': 'text\n' })).rejects.toThrow('no part of memory')
})

it('calls a change again when a person saves one of its files meanwhile', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n' })
  const seen: (string | undefined)[] = []
  await repository.change(CAUSE, ({ files }) => {
    seen.push(files.get('a.md'))
    if (seen.length === 1) edit(repository, 'a.md', 'by hand\n')
    return new Map([['a.md', `${files.get('a.md')}and ours\n`]])
  })
  expect(seen).toEqual(['one\n', 'by hand\n'])
  expect(diskFiles(repository.path)).toEqual(new Map([['a.md', 'by hand\nand ours\n']]))
})

it('gives up when a file is edited faster than it can be committed', async () => {
  const repository = await newRepository()
  let count = 0
  const busy = repository.change(CAUSE, () => {
    edit(repository, 'a.md', `${count++}\n`)
    return new Map([['a.md', 'ours\n']])
  })
  await expect(busy).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(diskFiles(repository.path)).toEqual(new Map([['a.md', '4\n']]))
})

const isLong = process.env.NACRE_SOAK === '1'

type Step =
  | { readonly does: 'change' | 'edit'; readonly files: readonly (readonly [string, string | undefined])[] }
  | { readonly does: 'undo'; readonly which: number }
  | { readonly does: 'snapshot' | 'reopen' }

const paths = fc.constantFrom('a.md', 'b.md', 'd/c.md', 'd/e/f.md')
const texts = fc.option(fc.constantFrom('', 'x', 'x\n', 'y\r\n', 'long\n'.repeat(50), 'ä\u{1f600}'), { nil: undefined })
const files = fc.array(fc.tuple(paths, texts), { minLength: 1, maxLength: 3 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: files.map((list) => ({ does: 'change' as const, files: list })) },
  { weight: 3, arbitrary: files.map((list) => ({ does: 'edit' as const, files: list })) },
  { weight: 3, arbitrary: fc.nat(6).map((which) => ({ does: 'undo' as const, which })) },
  { weight: 1, arbitrary: fc.constantFrom({ does: 'snapshot' as const }, { does: 'reopen' as const }) },
)

/** What the folder must be: its files, and the states that were committed, newest last. */
class Model {
  files = new Map<string, string>()
  commits: Map<string, string>[] = [new Map()]

  commit(): void {
    const last = this.commits.at(-1)
    if (!isEqual(last, this.files)) this.commits.push(new Map(this.files))
  }

  put(list: Iterable<readonly [string, string | undefined]>): void {
    for (const [path, text] of list) {
      if (text === undefined) this.files.delete(path)
      else this.files.set(path, text)
    }
  }
}

function isEqual(left: ReadonlyMap<string, string> | undefined, right: ReadonlyMap<string, string>): boolean {
  return left?.size === right.size && [...right].every(([path, text]) => left.get(path) === text)
}

/** Undoes the so-manieth newest commit in the model, or says that it can't be. */
function undoInModel(model: Model, which: number): boolean {
  model.commit()
  const at = model.commits.length - 1 - which
  const [before, after] = [model.commits[at - 1], model.commits[at]]
  if (before === undefined || after === undefined) return false
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
  if (touched.some((path) => model.files.get(path) !== after.get(path))) return false
  model.put(touched.map((path) => [path, before.get(path)]))
  model.commit()
  return true
}

it(
  'is always what its changes, hand edits and undos make of it',
  async () => {
    const play = async (list: readonly Step[]) => {
      const path = join(newFolder(), 'memory')
      let repository = await openRepository({ path, now: ticking() })
      const model = new Model()
      for (const step of list) {
        if (step.does === 'change') {
          model.commit()
          model.put(step.files)
          model.commit()
          await repository.change(CAUSE, () => new Map(step.files))
        }
        if (step.does === 'edit') {
          model.put(step.files)
          for (const [file, text] of step.files) {
            if (text === undefined) rmSync(join(path, file), { force: true })
            else edit(repository, file, text)
          }
        }
        if (step.does === 'snapshot') {
          model.commit()
          await repository.snapshot()
        }
        if (step.does === 'reopen') repository = await openRepository({ path, now: ticking() })
        if (step.does === 'undo') {
          await repository.snapshot()
          const isUndone = undoInModel(model, step.which)
          const commit = (await repository.log())[step.which]
          const undone = await repository.undo(commit?.id ?? '').catch(() => undefined)
          expect(undone !== undefined).toBe(isUndone)
        }
        expect(diskFiles(path)).toEqual(new Map([...model.files].sort()))
        expect(withoutIgnore(await repository.files())).toEqual(model.files)
      }
      await repository.snapshot()
      model.commit()
      const log = [...(await repository.log())].reverse()
      const states = await Promise.all(log.map(({ id }) => repository.at(id)))
      expect(states.map(withoutIgnore)).toEqual(model.commits)
      expect(await gitProblems(path)).toBe('')
    }
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 12 }), play), {
      numRuns: isLong ? 300 : 4,
    })
  },
  isLong ? 3_600_000 : 120_000,
)

function withoutIgnore(all: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...all].filter(([path]) => path !== '.gitignore'))
}
