import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.js'
import { glob, grep } from './ask.js'
import { plant } from './tree.js'

const SCRIPT = { ripgrep: false } as const

const name = fc.constantFrom(
  'a',
  'b',
  'lib',
  'build',
  'x.ts',
  'y.ts',
  'z.js',
  'note.md',
  'a.b',
  '.env',
  '.x.ts',
  '-d',
  'é 1',
  '(g)',
  'n\nl',
)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
const rule = fc.constantFrom(
  '*.ts',
  '!x.ts',
  'build/',
  '/lib',
  'a/**',
  '**/b',
  'lib/*.js',
  '!.env',
  '.x.ts',
  'a.?',
  '[x-y].ts',
  '*.{js,md}',
  '# note',
  '',
  'b/',
  '!a/',
  '*',
  '!*/',
  'a/**/x.ts',
  '\\(g\\)',
  '-d',
  'note.md  ',
  '!/build/',
  'build/*',
  '!build/x.ts',
)
const rules = fc.array(rule, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const ignoreFile = fc.record({
  folder: fc.constantFrom('', 'a/', 'lib/', 'build/', 'a/b/'),
  file: fc.constantFrom('.gitignore', '.ignore', '.rgignore', '.git/info/exclude'),
  rules,
})
const line = fc.constantFrom(
  'one two',
  'foo bar',
  'Foo(1)',
  '  x = 12;',
  'end',
  'été',
  'a\tb',
  '',
  'aaa bbb',
  'x-y_z',
  'the end\r',
  'K',
  '{ a: [1] }',
  '𝒳',
)
const content = fc.oneof(
  { weight: 8, arbitrary: fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(`${lines.join('\n')}\n`)) },
  {
    weight: 1,
    arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => Buffer.from(lines.join('\n'))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.from('foo\0bar\n'),
      Buffer.alloc(0),
      Buffer.from('\ufefffoo\n'),
      Buffer.from('\ufefffoo end\n', 'utf16le'),
      Buffer.from('caf\xe9 foo\n', 'latin1'),
    ),
  },
)

interface Place {
  readonly files: readonly (readonly [string, Buffer])[]
  readonly ignores: readonly { readonly folder: string; readonly file: string; readonly rules: string }[]
  readonly isRepository: boolean
}

const place: fc.Arbitrary<Place> = fc.record({
  files: fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 14 }),
  ignores: fc.array(ignoreFile, { maxLength: 3 }),
  isRepository: fc.boolean(),
})

const PATTERNS = [
  'foo',
  'end$',
  '^x',
  '^\\s',
  '\\bend\\b',
  '\\w+',
  '[a-c]{2,}',
  'o\\s',
  '(?i)FOO',
  'o+|a{3}',
  '[[:upper:]]',
  '\\p{Lu}',
  '\\d',
  '\\S+\\s\\S+',
  '.',
  '^$',
  '[^a-z]',
  'é.é',
  'x(?=-)',
  '(a)\\1',
  '\\{ a',
  'e.d',
  'K',
  '(?:foo|end).?$',
  '[\\w--]+;',
  '\\(1\\)',
  '(?s).x',
  '-y',
  '\\x41|\\u{e9}',
  '[^\\n]b',
  '{ a',
  'x\\b',
  '(?P<n>b)b',
  '[a&&b]',
  '\\<b',
  'a**',
  '(',
  '[',
  '*a',
  'a{2',
  '\\q',
  '(?=a',
  'x{2}{3}',
]

async function grown({ files, ignores, isRepository }: Place): Promise<string> {
  const folder = await temporaryFolder()
  if (isRepository) await mkdir(join(folder, '.git'))
  for (const [file, bytes] of files) await plant(folder, { [file]: bytes }).catch(() => undefined)
  for (const ignore of ignores)
    await plant(folder, { [`${ignore.folder}${ignore.file}`]: ignore.rules }).catch(() => undefined)
  return folder
}

const grepInput = fc.record({
  pattern: fc.constantFrom(...PATTERNS),
  output_mode: fc.constantFrom('files_with_matches', 'content', 'count'),
  '-i': fc.boolean(),
  '-A': fc.option(fc.nat(2), { nil: undefined }),
  '-B': fc.option(fc.nat(2), { nil: undefined }),
  multiline: fc.boolean(),
  glob: fc.option(
    fc.constantFrom('*.ts', '!*.ts', 'a/**', '*.{ts,js}', '.*', 'lib/*', '**/b/*', '*', 'a/, *.md', '(g)/**', '!b/'),
    { nil: undefined },
  ),
  type: fc.option(fc.constantFrom('ts', 'md'), { nil: undefined, freq: 4 }),
  path: fc.option(fc.constantFrom('a', 'lib', './build', 'x.ts'), { nil: undefined, freq: 6 }),
  head_limit: fc.integer({ min: 1, max: 40 }),
  offset: fc.constantFrom(0, 0, 0, 2),
})

const globInput = fc.record({
  pattern: fc.constantFrom(
    '**',
    '**/*',
    '*',
    '*.ts',
    '**/*.ts',
    '**/[xy].ts',
    'a/*',
    'a/**',
    '{a,lib}/**/*',
    '**/*.{ts,md}',
    '.*',
    '**/.*',
    '**/(g)/*',
    '?',
    'lib/**/x.ts',
    './**/*.js',
    '**/b/**',
    '*/*',
    '[',
    '{a',
  ),
  path: fc.option(fc.constantFrom('a', 'lib', 'build'), { nil: undefined, freq: 4 }),
})

describe('ripgrep and JavaScript', () => {
  it('find the same, in the same order, by Grep', async () => {
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.array(grepInput, { minLength: 5, maxLength: 5 }),
        fc.constantFrom(60, 1 << 20),
        async (tree, inputs, budget) => {
          const folder = await grown(tree)
          for (const input of inputs) {
            const expected = await grep(folder, input, { budget })
            const got = await grep(folder, input, { budget, ...SCRIPT })
            // Both refuse a pattern, each in its own words.
            if (expected.includes('does not parse') && got.includes('does not parse')) continue
            expect(got, JSON.stringify(input)).toBe(expected)
          }
        },
      ),
      { seed: 11, numRuns: 25 },
    )
  })

  it('find the same, in the same order, by Glob', async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(globInput, { minLength: 5, maxLength: 5 }), async (tree, inputs) => {
        const folder = await grown(tree)
        for (const input of inputs) {
          expect(await glob(folder, input, SCRIPT), JSON.stringify(input)).toBe(await glob(folder, input))
        }
      }),
      { seed: 12, numRuns: 20 },
    )
  })
})
