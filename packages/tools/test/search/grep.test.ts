import { watch } from 'node:fs'
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { searchTools } from '../../src/index.js'
import { toolContext } from '../support/tool-context.js'
import { grep, WAYS } from './ask.js'
import { tree } from './tree.js'

describe.each(WAYS)('Grep with $way', ({ options }) => {
  it('lists files with matches by path, folder by folder', async () => {
    const folder = await tree({ 'b.ts': 'hit', 'a/z.ts': 'hit', 'a.ts': 'hit', 'a/b/c.ts': 'hit', 'no.ts': 'miss' })
    expect(await grep(folder, { pattern: 'hit' }, options)).toBe('a/b/c.ts\na/z.ts\na.ts\nb.ts')
  })

  it('shows lines with numbers and context', async () => {
    const folder = await tree({ 'a.txt': 'one\ntwo\nhit\nfour\nfive\nsix\nhit\n', 'b.txt': 'hit\r\n' })
    expect(await grep(folder, { pattern: 'hit', output_mode: 'content', '-C': 1 }, options)).toBe(
      'a.txt\n2-two\n3:hit\n4-four\n--\n6-six\n7:hit\n\nb.txt\n1:hit',
    )
    expect(
      await grep(folder, { pattern: 'hit$', output_mode: 'content', '-B': 2, '-n': false, path: 'a.txt' }, options),
    ).toBe('a.txt\none\ntwo\nhit\n--\nfive\nsix\nhit')
  })

  it('counts lines by file', async () => {
    const folder = await tree({ 'a.txt': 'hit hit\nhit\n', 'b.txt': 'hit' })
    expect(await grep(folder, { pattern: 'hit', output_mode: 'count' }, options)).toBe('a.txt:2\nb.txt:1')
  })

  it('finds over several lines when it is told to', async () => {
    const folder = await tree({ 'a.txt': 'begin\nmiddle\nend\n' })
    const input = { pattern: 'begin.*end', output_mode: 'content' }
    expect(await grep(folder, input, options)).toBe('No matches found.')
    expect(await grep(folder, { ...input, multiline: true }, options)).toBe('a.txt\n1:begin\n2:middle\n3:end')
    expect(await grep(folder, { pattern: 'begin\\nmiddle' }, options)).toContain('set multiline to true')
  })

  it('takes patterns and names that look like options, and any name there is', async () => {
    const folder = await tree({
      '-v': '--hit',
      'a b.txt': '--hit',
      'line\nend.txt': '--hit',
      'q\'"$(x).txt': '--hit',
      'ü/é.txt': '--hit',
    })
    expect(await grep(folder, { pattern: '--hit' }, options)).toBe(
      ['-v', 'a b.txt', '"line\\nend.txt"', 'q\'"$(x).txt', 'ü/é.txt'].join('\n'),
    )
    expect(await grep(folder, { pattern: '-hit', path: '-v' }, options)).toBe('-v')
  })

  it.skipIf(process.platform !== 'linux')('finds files whose names are no UTF-8', async () => {
    const folder = await tree({})
    await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'hit')
    expect(await grep(folder, { pattern: 'hit', output_mode: 'count' }, options)).toBe('caf\ufffd.txt:1')
  })

  it('minds ignore files at every level, and looks where it is told to all the same', async () => {
    const folder = await tree({
      '.gitignore': 'dist/\n*.log\n!keep.log\n',
      'dist/a.ts': 'hit',
      'a.log': 'hit',
      'keep.log': 'hit',
      'sub/.ignore': '/x.ts\n',
      'sub/x.ts': 'hit',
      'sub/deep/x.ts': 'hit',
      '.hidden/a.ts': 'hit',
    })
    expect(await grep(folder, { pattern: 'hit' }, options)).toBe('keep.log\nsub/deep/x.ts')
    expect(await grep(folder, { pattern: 'hit', path: 'dist' }, options)).toBe('dist/a.ts')
    expect(await grep(folder, { pattern: 'hit', path: 'a.log' }, options)).toBe('a.log')
    expect(await grep(folder, { pattern: 'hit', path: 'sub' }, options)).toBe('sub/deep/x.ts')
    // A glob narrows, and brings nothing back.
    expect(await grep(folder, { pattern: 'hit', glob: '**/*' }, options)).toBe('keep.log\nsub/deep/x.ts')
    expect(await grep(folder, { pattern: 'hit', glob: '*.log' }, options)).toBe('keep.log')
    expect(await grep(folder, { pattern: 'hit', glob: '.hidden/**' }, options)).toBe('.hidden/a.ts')
  })

  it('ends the rules of git at the repository', async () => {
    const folder = await tree({
      '.gitignore': '*',
      'repository/a.ts': 'hit',
      'repository/.gitignore': 'b.ts',
      'repository/b.ts': 'hit',
    })
    await mkdir(join(folder, 'repository/.git'))
    expect(await grep(join(folder, 'repository'), { pattern: 'hit' }, options)).toBe('a.ts')
  })

  it('filters by glob and by type', async () => {
    const folder = await tree({
      'a.ts': 'hit',
      'b.js': 'hit',
      'lib/c.ts': 'hit',
      'lib/c.test.ts': 'hit',
      'd.md': 'hit',
    })
    const files = async (input: object) => (await grep(folder, { pattern: 'hit', ...input }, options)).split('\n')
    expect(await files({ glob: '*.ts' })).toEqual(['a.ts', 'lib/c.test.ts', 'lib/c.ts'])
    expect(await files({ glob: '*.{js,md}' })).toEqual(['b.js', 'd.md'])
    expect(await files({ glob: '*.ts, !*.test.ts' })).toEqual(['a.ts', 'lib/c.ts'])
    expect(await files({ glob: '!lib/' })).toEqual(['a.ts', 'b.js', 'd.md'])
    expect(await files({ glob: 'lib/*.ts' })).toEqual(['lib/c.test.ts', 'lib/c.ts'])
    expect(await files({ type: 'ts', glob: '!lib/**' })).toEqual(['a.ts'])
    expect(await files({ type: 'md' })).toEqual(['d.md'])
    expect(await grep(folder, { pattern: 'hit', type: 'nope' }, options)).toMatch(
      /There is no file type nope\. .*typescript/,
    )
    expect(await grep(folder, { pattern: 'hit', glob: '../**' }, options)).toMatch(/leads out of/)
  })

  it('says what is wrong with a pattern', async () => {
    const folder = await tree({ 'a.txt': 'x' })
    expect(await grep(folder, { pattern: 'a(b' }, options)).toMatch(/"a\(b" does not parse\. [\s\S]*unclosed group/)
    expect(await grep(folder, { pattern: '[a' }, options)).toMatch(/does not parse\. [\s\S]*unclosed character class/)
    expect(await grep(folder, { pattern: 'x', path: 'nowhere' }, options)).toMatch(/no file or folder nowhere/)
    expect(await grep(folder, { pattern: 'x\0' }, options)).toMatch(/NUL/)
  })

  it('knows look-around, and braces that repeat nothing', async () => {
    const folder = await tree({ 'a.txt': 'foobar\nfoobaz\nif (x) {\n' })
    expect(await grep(folder, { pattern: 'foo(?!bar)', output_mode: 'content' }, options)).toBe('a.txt\n2:foobaz')
    expect(await grep(folder, { pattern: '\\) {', output_mode: 'content' }, options)).toBe('a.txt\n3:if (x) {')
  })

  it('reads UTF-8, UTF-16 and what is neither, and skips what is binary', async () => {
    const folder = await tree({
      'bom.txt': '\ufeffhit ü',
      'utf16.txt': Buffer.from('\ufeffhit ü\n', 'utf16le'),
      'latin.txt': Buffer.from('hit \xfc\n', 'latin1'),
      'binary.bin': Buffer.from('hit\0\n'),
      'late.bin': Buffer.concat([Buffer.from('hit\n'), Buffer.alloc(70_000, 'x\n'), Buffer.from('\0\n')]),
    })
    expect(await grep(folder, { pattern: 'hit', output_mode: 'content' }, options)).toBe(
      'bom.txt\n1:hit ü\n\nlatin.txt\n1:hit \ufffd\n\nutf16.txt\n1:hit ü',
    )
    expect(await grep(folder, { pattern: 'hit', path: 'binary.bin' }, options)).toMatch(/is a binary file/)
  })

  it('cuts long lines, and says so', async () => {
    const folder = await tree({ 'a.txt': `hit ${'x'.repeat(100_000)}\nhit a${'😀'.repeat(400)}` })
    const lines = (await grep(folder, { pattern: 'hit', output_mode: 'content' }, options)).split('\n')
    expect(lines.map((line) => line.length)).toEqual([5, 513, 512])
    expect(lines[1]).toMatch(/x \[… line cut\]$/)
    expect(lines[2]).toMatch(/😀 \[… line cut\]$/u)
  })

  it('shows results page by page, and says how many more there are', async () => {
    const folder = await tree(
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${String(index).padStart(2, '0')}`, 'hit\n'])),
    )
    expect(await grep(folder, { pattern: 'hit', head_limit: 3 }, options)).toBe(
      'f00\nf01\nf02\n\n[Files 1-3 of 12; 9 more. Narrow the search, or go on with offset 3.]',
    )
    expect(await grep(folder, { pattern: 'hit', offset: 10 }, options)).toBe('f10\nf11\n\n[Files 11-12 of 12.]')
    expect(await grep(folder, { pattern: 'hit', offset: 50 }, options)).toBe(
      'There are only 12 files: nothing from offset 50 on.',
    )
    expect(await grep(folder, { pattern: 'hit', head_limit: 1, offset: 4, output_mode: 'content' }, options)).toBe(
      'f04\n1:hit\n\n[Lines 5-5 of 12; 7 more. Narrow the search, or go on with offset 5.]',
    )
  })

  it('stays within 20,000 characters', async () => {
    const folder = await tree({ 'a.txt': `hit ${'x'.repeat(400)}\n`.repeat(1_000) })
    const text = await grep(folder, { pattern: 'hit', output_mode: 'content', head_limit: 1_000 }, options)
    expect(text.length).toBeLessThanOrEqual(20_000)
    expect(text).toMatch(/\[Lines 1-\d+ of 1000; \d+ more\./)
  })

  it('stops above its budget and says that there are more', async () => {
    const folder = await tree({ 'a.txt': 'hit\n'.repeat(50_000), 'b.txt': 'hit\n'.repeat(50_000) })
    expect(
      await grep(folder, { pattern: 'hit', output_mode: 'content', head_limit: 2 }, { ...options, budget: 10_000 }),
    ).toBe('a.txt\n1:hit\n2:hit\n\n[Lines 1-2; there are more. Narrow the search, or go on with offset 2.]')
  })

  it('does not follow links to folders, and goes where a link that is named leads', async () => {
    const folder = await tree({ 'real/a.ts': 'hit' })
    await symlink(join(folder, 'real'), join(folder, 'link'))
    await link(join(folder, 'real/a.ts'), join(folder, 'hard.ts'))
    expect(await grep(folder, { pattern: 'hit' }, options)).toBe('hard.ts\nreal/a.ts')
    expect(await grep(folder, { pattern: 'hit', path: 'link' }, options)).toBe('link/a.ts')
  })

  it('shows paths outside of the working directory in full', async () => {
    const folder = await tree({ 'in/a.ts': 'hit', 'out/b.ts': 'hit' })
    expect(await grep(join(folder, 'in'), { pattern: 'hit', path: '../out' }, options)).toBe(`${folder}/out/b.ts`)
  })

  it('asks its guard about the place that is really searched', async () => {
    const folder = await tree({ 'real/a.ts': 'hit' })
    await symlink(join(folder, 'real'), join(folder, 'link'))
    const asked: string[] = []
    const guard = {
      verify(_call: string, path: string) {
        asked.push(path)
        throw new Error('not there')
      },
    }
    expect(await grep(folder, { pattern: 'hit', path: 'link' }, { ...options, guard })).toBe('Error: not there')
    expect(asked).toEqual([join(folder, 'real')])
  })

  it('finds what comes behind files that its guard hides', async () => {
    const hidden = Array.from({ length: 12 }, (_, index) => [`a/${index}.ts`, 'hit'])
    const folder = await tree({ ...Object.fromEntries(hidden), 'b.ts': 'hit', 'c.ts': 'hit' })
    const guard = { verify: () => undefined, hides: (_call: string, path: string) => path.includes('/a/') }
    for (const budget of [1, 1_000]) {
      const ask = (input: object) => grep(folder, { pattern: 'hit', ...input }, { ...options, guard, budget })
      expect(await ask({ head_limit: 3 })).toBe('b.ts\nc.ts')
      expect(await ask({ head_limit: 3, output_mode: 'count' })).toBe('b.ts:1\nc.ts:1')
    }
    expect(await grep(folder, { pattern: 'hit', head_limit: 1 }, { ...options, guard })).toContain('1 of 2; 1 more')
    const above = { pattern: 'hit', path: 'a', head_limit: 2 }
    const allowing = { ...guard, hides: () => false }
    expect(await grep(folder, above, { ...options, guard: allowing })).toContain('there are more')
  })

  it('repeats up to a number, and counts no nothing right behind a match', async () => {
    const folder = await tree({ 'a.txt': 'xaay\nxy\nxaaay\n' })
    expect(await grep(folder, { pattern: 'xa{,2}y', output_mode: 'content' }, options)).toBe('a.txt\n1:xaay\n2:xy')
    const input = { pattern: 'a*', output_mode: 'count', multiline: true }
    expect(await grep(folder, input, options)).toBe('a.txt:9')
  })

  it('ends when it is aborted', async () => {
    const folder = await tree({ 'a.txt': 'hit' })
    const { grep: tool } = searchTools(options)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(tool.run(tool.schema.parse({ pattern: 'hit' }), toolContext(folder, { signal }))).rejects.toThrow(
      'enough',
    )
  })
})

describe('Grep with ripgrep', () => {
  it.skipIf(process.platform === 'win32')('kills it at an abort', async () => {
    const folder = await tree({ 'a.txt': 'hit' })
    // In its place a program that would never end; it makes a file to tell that it runs.
    const program = join(folder, 'slow')
    await writeFile(program, '#!/bin/sh\necho $$ > "$0.new"\nmv "$0.new" "$0.pid"\necho\nexec tail -f /dev/null\n', {
      mode: 0o755,
    })
    const controller = new AbortController()
    const runs = new Promise<void>((resolve) => {
      const watcher = watch(folder, (_event, name) => {
        if (name !== 'slow.pid') return
        watcher.close()
        resolve()
      })
    })
    const { grep: tool } = searchTools({ ripgrep: program })
    const running = tool.run(tool.schema.parse({ pattern: 'hit' }), toolContext(folder, { signal: controller.signal }))
    await runs
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    const pid = Number(await readFile(join(folder, 'slow.pid'), 'utf8'))
    // Nobody waits for it to be gone before they answer.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})

describe('Grep with JavaScript', () => {
  it('gives up a pattern that backtracks without end', async () => {
    const folder = await tree({ 'a.txt': `${'a'.repeat(60)}!` })
    expect(await grep(folder, { pattern: '(a+)+$' }, { ripgrep: false })).toMatch(/takes too long in a\.txt/)
    expect(await grep(folder, { pattern: '(a+)+$' })).toBe('No matches found.')
  })

  it.each(['a(?i)b', '(?-u)a', '(?U)a', '(?>a)', '[a~~b]'])('says that it does not know %s', async (pattern) => {
    const folder = await tree({ 'a.txt': 'ab' })
    expect(await grep(folder, { pattern }, { ripgrep: false })).toMatch(/does not parse\. .*[Ww]ithout ripgrep/)
  })
})
