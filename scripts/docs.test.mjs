import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'
import { projectFiles } from './project-files.mjs'
import { planOf } from './rooms.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const hookMap = /interface HookMap \{([\s\S]*?)\n\}/.exec(read('packages/core/src/types/hooks.ts'))?.[1] ?? ''
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

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md')
  const core = 'packages/core/src'
  const picture = /## Inside core[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  /** Rooms from the top line of the picture down. */
  const lines = picture.split('\n').map((line) => [...line.matchAll(/(\w+)\//g)].map(([, room = '']) => room))
  const drawn = lines.flat()
  const height = (/** @type {string} */ room) => lines.findIndex((rooms) => rooms.includes(room))

  it('draws every folder of core, or has it among the entries', () => {
    const entries = [...page.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room]) => room)
    const folders = readdirSync(join(root, core), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect([...new Set([...drawn, ...entries])].sort()).toEqual(folders.map(({ name }) => name).sort())
  })

  it('draws a room above all rooms that it imports', () => {
    const wrong = drawn.flatMap((room) =>
      importsOf(join(core, room))
        .filter((other) => other !== '.' && other !== room && !(height(other) > height(room)))
        .map((other) => `${room} imports ${other}`),
    )
    expect(drawn.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  })

  it('names the doors of each room', () => {
    const { rooms = {} } = planOf(root, 'packages/core')
    const told = [...page.matchAll(/^\| `(\w+)\/` \| .*\? \| (.*) \|$/gm)].map(([, room = '', doors = '']) => ({
      room,
      doors: doors === 'all' ? rooms[room]?.doors : [...doors.matchAll(/`([\w-]+\.ts)`/g)].map(([, door]) => door),
    }))
    expect(told.map(({ room }) => room).sort()).toEqual(drawn.toSorted())
    expect(told).toEqual(told.map(({ room }) => ({ room, doors: rooms[room]?.doors ?? [] })))
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
 * The folders beside it that the files of one import from; `.` is the one above.
 * @param {string} folder
 */
function importsOf(folder) {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'))
  const paths = files.flatMap((file) => [...read(join(folder, file)).matchAll(/from '\.\.\/([^']+)'/g)])
  return [...new Set(paths.map(([, path = '']) => posix.dirname(path)))]
}

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
