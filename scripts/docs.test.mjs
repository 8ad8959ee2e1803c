import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'
import { projectFiles } from './project-files.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const hookMap = /interface HookMap \{([\s\S]*?)\n\}/.exec(read('packages/core/src/contract/hooks.ts'))?.[1] ?? ''
const hooks = [...hookMap.matchAll(/^ {2}(\w+): (Collect|Transform|Decide)</gm)].map(([, name = '', kind = '']) => ({
  name,
  kind: kind.toLowerCase(),
}))

describe('docs/hooks.md', () => {
  const page = read('docs/hooks.md')

  it('has a section for every hook, in the order of the map, with its kind', () => {
    const sections = page.split(/^### /m).slice(1)
    const described = sections.map((section) => ({
      name: section.split('\n')[0],
      kind: /^\| (collect|transform|decide) \|/m.exec(section)?.[1],
    }))
    expect(hooks.length).toBeGreaterThan(15)
    expect(described).toEqual(hooks)
  })

  it('has every hook in its table, in the same order', () => {
    const rows = [...page.matchAll(/\[(\w+)\]\(#\w+\) \| (\w+) \|$/gm)].map(([, name, kind]) => ({ name, kind }))
    expect(rows).toEqual(hooks)
  })
})

describe.each(pages)('docs/%s', (page) => {
  const blocks = [...read(`docs/${page}`).matchAll(/```(\w+)\n([\s\S]*?)```/g)]
  const code = blocks.filter(([, language]) => language === 'js' || language === 'ts').map(([, , text = '']) => text)
  const data = blocks.filter(([, language]) => language === 'json').map(([, , text = '']) => text)

  it('shows code that is part of the file it names', () => {
    expect(code.filter((text) => !isPartOfItsFile(text))).toEqual([])
  })

  it('shows data that is part of an example', () => {
    const files = projectFiles(join(root, 'examples')).filter((file) => file.endsWith('.json'))
    const texts = files.map((file) => readFileSync(file, 'utf8').split('\n'))
    expect(data.filter((text) => !texts.some((lines) => isPartOf(text.trimEnd().split('\n'), lines)))).toEqual([])
  })
})

/**
 * Its first line is a comment with the path of a file below examples; the rest stands there, at any depth.
 * @param {string} block
 */
function isPartOfItsFile(block) {
  const [head = '', ...lines] = block.trimEnd().split('\n')
  const [, path = ''] = /^\/\/ (examples\/\S+)$/.exec(head) ?? []
  return path !== '' && existsSync(join(root, path)) && isPartOf(lines, read(path).split('\n'))
}

/**
 * @param {readonly string[]} part
 * @param {readonly string[]} whole
 */
function isPartOf(part, whole) {
  const wanted = dedented(part)
  return whole.some((_, start) => dedented(whole.slice(start, start + part.length)) === wanted)
}

/** @param {readonly string[]} lines */
function dedented(lines) {
  const filled = lines.filter((line) => line.trim() !== '')
  const depth = Math.min(...filled.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(depth).trimEnd()).join('\n')
}
