import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { glob, WAYS } from './ask.js'
import { tree } from './tree.js'

describe.each(WAYS)('Glob with $way', ({ options }) => {
  it('lists what was changed last first', async () => {
    const folder = await tree({ 'c.ts': '', 'a/b.ts': '', 'a.ts': '', 'a.md': '' })
    expect(await glob(folder, { pattern: '**/*.ts' }, options)).toBe('a.ts\na/b.ts\nc.ts')
    await utimes(join(folder, 'c.ts'), 1_800_000_000, 1_800_000_000)
    expect(await glob(folder, { pattern: '**/*.ts' }, options)).toBe('c.ts\na.ts\na/b.ts')
  })

  it('lists files of the same time by path, and says how many there are beyond a hundred', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `f${String(index).padStart(3, '0')}.ts`)
    const folder = await tree(Object.fromEntries([...names].reverse().map((name) => [name, ''])))
    for (const name of names) await utimes(join(folder, name), 1_700_000_000, 1_700_000_000)
    const lines = (await glob(folder, { pattern: '*' }, options)).split('\n')
    expect(lines.slice(0, 100)).toEqual(names.slice(0, 100))
    expect(lines.slice(100)).toEqual(['', '[100 of 150 files, those changed last. Narrow the pattern for the others.]'])
  })

  it('knows the wildcards, and brackets of routes as they are', async () => {
    const folder = await tree({
      'app/(shop)/page.tsx': '',
      'app/[id]/page.tsx': '',
      'src/a.ts': '',
      'src/b.js': '',
      'src/x/c.ts': '',
      'top.ts': '',
    })
    const files = async (pattern: string, path?: string) =>
      (await glob(folder, { pattern, path }, options)).split('\n').sort()
    expect(await files('*.ts')).toEqual(['top.ts'])
    expect(await files('src/*')).toEqual(['src/a.ts', 'src/b.js'])
    expect(await files('src/**')).toEqual(['src/a.ts', 'src/b.js', 'src/x/c.ts'])
    expect(await files('**/*.{ts,js}', 'src')).toEqual(['src/a.ts', 'src/b.js', 'src/x/c.ts'])
    expect(await files('src/?.[jt]s')).toEqual(['src/a.ts', 'src/b.js'])
    expect(await files('src/[!a].*')).toEqual(['src/b.js'])
    expect(await files('app/(shop)/*')).toEqual(['app/(shop)/page.tsx'])
    expect(await files('app/\\[id\\]/*.tsx')).toEqual(['app/[id]/page.tsx'])
    expect(await files(`${folder}/src/*.ts`)).toEqual(['src/a.ts'])
    expect(await files('nothing/**')).toEqual(['No files found.'])
  })

  it('skips what ignore files exclude and what is hidden, unless the pattern begins there', async () => {
    const folder = await tree({
      '.gitignore': 'dist\n',
      'dist/a.ts': '',
      '.github/ci.yml': '',
      'src/.env': '',
      'src/a.ts': '',
    })
    const files = async (pattern: string) => (await glob(folder, { pattern }, options)).split('\n').sort()
    expect(await files('**/*')).toEqual(['src/a.ts'])
    expect(await files('dist/*')).toEqual(['dist/a.ts'])
    expect(await files('.github/*')).toEqual(['.github/ci.yml'])
    expect(await files('**/.env')).toEqual(['src/.env'])
  })

  it('refuses what leads out of its folder, and what is no glob or no folder', async () => {
    const folder = await tree({ 'in/a.ts': '', 'out/b.ts': '' })
    expect(await glob(join(folder, 'in'), { pattern: '../out/*' }, options)).toMatch(/leads out of/)
    expect(await glob(join(folder, 'in'), { pattern: `${folder}/out/*` }, options)).toMatch(/leads out of/)
    expect(await glob(folder, { pattern: '[a' }, options)).toMatch(/has a \[ without its \]/)
    expect(await glob(folder, { pattern: '{a' }, options)).toMatch(/has a \{ without its \}/)
    expect(await glob(folder, { pattern: '*', path: 'in/a.ts' }, options)).toMatch(/is a file/)
  })
})
