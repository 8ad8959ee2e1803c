import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Field, forgivingFields, frontMatter } from '../../src/definitions/front-matter.js'
import { readDefinition } from '../../src/definitions/read-definition.js'

function fields(text: string): Record<string, unknown> {
  const read = forgivingFields(text)
  if ('message' in read) throw new Error(read.message)
  return Object.fromEntries(read.map(({ name, value }) => [name, value]))
}

describe('the forgiving reader', () => {
  it('takes the rest of the line, whatever is in it', () => {
    expect(fields('name: a\ndescription: Use: this # not that\nurl: http://x: y\nissue: see #12: it')).toEqual({
      name: 'a',
      description: 'Use: this',
      url: 'http://x: y',
      issue: 'see #12: it',
    })
  })

  it('gives later lines to the field before them', () => {
    expect(fields('description: One: two\n  three\n\n  four: five\n# aside\nname: a')).toEqual({
      description: 'One: two\nthree\n\nfour: five',
      name: 'a',
    })
  })

  it('knows lists, blocks and quotes', () => {
    const text = [
      'tools:',
      '  - Read  # looks',
      '  - "Grep"',
      '  - *',
      'more:',
      '- a: b: c',
      'inline: [a, "b", c: d]',
      'none: []',
      'block: |-',
      '  first: line',
      '  # no comment',
      `quoted: "says \\"so\\": twice"`,
      "single: 'it''s'",
      `"key": value # aside`,
      'end: "a" and "b" x',
    ]
    expect(fields(text.join('\n'))).toEqual({
      tools: ['Read', 'Grep', '*'],
      more: ['a: b: c'],
      inline: ['a', 'b', 'c: d'],
      none: [],
      block: 'first: line\n# no comment',
      quoted: 'says "so": twice',
      single: "it's",
      key: 'value',
      end: '"a" and "b" x',
    })
  })

  it('takes the lines of an example for text, but never a field that is known', () => {
    expect(fields('description: x: <example>\nuser: hi\n</example>\nContext: y\ntools: Read')).toEqual({
      description: 'x: <example>\nuser: hi\n</example>',
      Context: 'y',
      tools: 'Read',
    })
    expect(fields('description: x: <example>\nuser: hi\ntools: Read\nmodel: opus')).toEqual({
      description: 'x: <example>\nuser: hi',
      tools: 'Read',
      model: 'opus',
    })
  })

  it('loses no limit that was indented by mistake, and takes none out of what belongs to another field', () => {
    expect(fields('description: x: y\n  tools: Read')).toEqual({ description: 'x: y', tools: 'Read' })
    const server = 'description: x: y\nmcpServers:\n  a:\n    timeout: 5\ntext: >\n  tools: as text'
    expect(fields(server)).toEqual({ description: 'x: y', mcpServers: 'a:\ntimeout: 5', text: 'tools: as text' })
  })

  it('refuses what stands before the first field', () => {
    expect(forgivingFields('# aside\n\n  tools: Read\nname: a')).toMatchObject({ line: 3 })
  })
})

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    'name: a',
    'tools: Read',
    '  - x',
    '- y',
    '<example>',
    '</example>',
    'k: |',
    'k: [a',
    '"k": "v',
    '---',
  ),
  fc.tuple(fc.constantFrom('a', 'tools', ' b', 'x-y'), fc.string()).map(([key, value]) => `${key}: ${value}`),
)
const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'))

describe('whatever a file holds', () => {
  it('it is read without a throw, and each field has its line', () => {
    fc.assert(
      fc.property(text, (written) => {
        const lines = written.split('\n')
        const read = forgivingFields(written)
        if ('message' in read) {
          expect(lines[read.line - 1]?.trim()).not.toBe('')
          return
        }
        for (const { name, line: number } of read) expect(lines[number - 1]).toContain(name)
      }),
    )
  })

  it('it becomes a type or is refused with a reason', () => {
    fc.assert(
      fc.property(text, text, (head, body) => {
        const { type, problems } = readDefinition('/agents/a.md', `---\n${head}\n---\n${body}`)
        expect(problems.some(({ isRefused }) => isRefused)).toBe(type === undefined)
        for (const { line: number, message } of problems) {
          expect(number).toBeGreaterThan(0)
          expect(message).not.toBe('')
        }
      }),
    )
  })

  it('tools that are named at the start of a line limit the agent or refuse it, broken as the rest may be', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const head = `name: a\ndescription: b: c\n${before}\ntools: Read\n${after}`
        const { type } = readDefinition('/agents/a.md', `---\n${head.replaceAll(/^---\s*$/gm, '')}\n---\nHelp.`)
        if (type !== undefined) expect(type.tools).toEqual(['Read'])
      }),
    )
  })
})

describe('front matter', () => {
  it('says as YAML the same as line by line', () => {
    const plain = fc
      .stringMatching(/^[a-z][a-z ]{0,20}[a-z]$/)
      .filter((word) => !/^(null|true|false|yes|no)$/.test(word))
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 6 })
    fc.assert(
      fc.property(names, fc.array(plain, { minLength: 6, maxLength: 6 }), (keys, values) => {
        const rows = keys.map((key, index) => `${key}: ${values[index]}`).join('\n')
        const read = frontMatter(`---\n${rows}\n---\n`)
        const byLine = forgivingFields(rows)
        if ('message' in read || 'message' in byLine) throw new Error('can not be read')
        expect(read.fields).toEqual(byLine.map((field: Field) => ({ ...field, line: field.line + 1 })))
      }),
    )
  })

  it('with thousands of fields or nested aliases takes no time', () => {
    const many = Array.from({ length: 9_000 }, (_, index) => `k${index}:`).join('\n')
    expect(frontMatter(`---\n${many.slice(0, 60_000)}\n---\n`)).toHaveProperty('fields')
    const bomb = [
      'a: &a [x,x]',
      ...'bcdefghijklmnop'
        .split('')
        .map(
          (key, index) =>
            `${key}: &${key} [*${'abcdefghijklmno'[index]},*${'abcdefghijklmno'[index]},*${'abcdefghijklmno'[index]}]`,
        ),
    ]
    expect(frontMatter(`---\n${bomb.join('\n')}\n---\n`)).toHaveProperty('fields')
    expect(frontMatter(`---\na: ${' '.repeat(60_000)}: #\n---\n`)).toHaveProperty('fields')
  })
})
