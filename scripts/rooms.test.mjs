import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkRooms, planOf } from './rooms.mjs'

/** @typedef {import('./rooms.mjs').Plan} Plan */

const name = 'packages/house'
const long = '// A line.\n'.repeat(40)

/** A package that breaks no rule: kitchen/ is entered through its door, and the entry reaches everywhere. */
const files = {
  'index.ts': "export { cook } from './kitchen/cook.js'\nexport type { Knife } from './kitchen/knife.js'\n",
  'hall/hall.ts': `import { cook } from '../kitchen/cook.js'\n${long}`,
  'hall/hall.test.ts': "import '../kitchen/knife.js'\n",
  'kitchen/cook.ts': `import './knife.js'\n${long}`,
  'kitchen/knife.ts': long,
}

/** @type {Plan} */
const plan = { rooms: { kitchen: { doors: ['cook.ts'] } } }

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nacre-rooms-'))
  write('package.json', JSON.stringify({ exports: { '.': { '@nacre/source': './src/index.ts' } } }))
  for (const [file, text] of Object.entries(files)) write(`src/${file}`, text)
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('rooms', () => {
  it('finds nothing wrong in a package that keeps the rules', () => {
    expect(check()).toEqual([])
  })

  it.each([
    ['a value', "import { hall } from '../hall/hall.js'"],
    ['a type', "import type { Hall } from '../hall/hall.js'"],
    ['an import that runs later', "const hall = () => import('../hall/hall.js')"],
    ['the type of a module', "type Hall = typeof import('../hall/hall.js')"],
    ['an export of another file', "export { hall } from '../hall/hall.js'"],
  ])('refuses a circle of folders by %s, and names its imports', (_, line) => {
    write('src/kitchen/knife.ts', `${line}\n${long}`)
    const [circle, ...others] = check({ rooms: { ...plan.rooms, hall: { doors: ['hall.ts'] } } })
    expect(others).toEqual([])
    expect(circle).toContain('hall -> kitchen -> hall')
    expect(circle).toContain('hall/hall.ts imports kitchen/cook.ts')
    expect(circle).toContain('kitchen/knife.ts imports hall/hall.ts')
  })

  it('refuses a circle of three with a folder inside another and the files of src itself', () => {
    write('src/lamp.ts', `import './hall/hall.js'\n${long}`)
    write('src/kitchen/cellar/wine.ts', `import '../../lamp.js'\n${long}`)
    write('src/kitchen/knife.ts', `import './cellar/wine.js'\n${long}`)
    const doors = { '.': 'lamp.ts', hall: 'hall.ts', kitchen: 'cook.ts', 'kitchen/cellar': 'wine.ts' }
    const rooms = Object.fromEntries(Object.entries(doors).map(([room, door]) => [room, { doors: [door] }]))
    expect(check({ rooms }).join()).toContain('src -> hall -> kitchen -> kitchen/cellar -> src')
  })

  it('refuses an import that does not go through a door, and says what to do', () => {
    write('src/hall/hall.ts', `import '../kitchen/cook.js'\nimport type { Knife } from '../kitchen/knife.js'\n${long}`)
    expect(check()).toEqual([
      `${name}: hall/hall.ts imports kitchen/knife.ts. Import kitchen through its door cook.ts, or make knife.ts a door in rooms.json.`,
    ])
  })

  it('lets a folder say once that all of its files are doors, with a reason', () => {
    write('src/hall/hall.ts', `import '../kitchen/cook.js'\nimport '../kitchen/knife.js'\n${long}`)
    expect(check({ rooms: { kitchen: { doors: 'all', why: 'A small one.' } } })).toEqual([])
    expect(check({ rooms: { kitchen: { doors: 'all' } } }).join()).toContain('say why')
  })

  it('wants a reason for more than two doors', () => {
    write('src/kitchen/oven.ts', long)
    const lines = ['cook', 'knife', 'oven'].map((file) => `import '../kitchen/${file}.js'\n`)
    write('src/hall/hall.ts', `${lines.join('')}${long}`)
    const doors = ['cook.ts', 'knife.ts', 'oven.ts']
    expect(check({ rooms: { kitchen: { doors } } }).join()).toContain('more than 2 doors')
    expect(check({ rooms: { kitchen: { doors, why: 'Three cooks.' } } })).toEqual([])
  })

  it('refuses doors and folders that nothing comes through any more', () => {
    const problems = check({ rooms: { kitchen: { doors: ['cook.ts', 'knife.ts'] }, attic: { doors: [] } } })
    expect(problems).toEqual([
      expect.stringContaining('no folder attic'),
      expect.stringContaining('no other folder imports kitchen/knife.ts'),
    ])
  })

  it('refuses a small file with one importer unless it has a reason, and reasons that are not needed', () => {
    write('src/kitchen/salt.ts', 'export const salt = 1\n')
    write('src/kitchen/knife.ts', `import './salt.js'\n${long}`)
    const [problem, ...others] = check()
    expect(others).toEqual([])
    expect(problem).toContain('kitchen/salt.ts has 1 lines and one importer. Move it into kitchen/knife.ts')
    const small = { 'kitchen/salt.ts': 'A table.' }
    expect(check({ ...plan, small })).toEqual([])
    expect(check({ ...plan, small: { 'kitchen/salt.ts': '' } })).toHaveLength(1)
    write('src/kitchen/cook.ts', `import './knife.js'\nimport './salt.js'\n${long}`)
    expect(check({ ...plan, small }).join()).toContain('kitchen/salt.ts needs no reason any more')
  })

  it('wants every package with folders in the file, and no package that is gone', () => {
    expect(checkRooms(folder, { packages: {} }).join()).toContain(`--doors ${name}`)
    expect(checkRooms(folder, { packages: { [name]: plan, 'packages/gone': {} } }).join()).toContain('packages/gone')
  })

  it('prints the entry of a package as its code is, with room for reasons', () => {
    write('src/hall/salt.ts', "import '../kitchen/knife.js'\n")
    write('src/hall/hall.ts', `import './salt.js'\nimport '../kitchen/cook.js'\n${long}`)
    expect(planOf(folder, name)).toEqual({
      rooms: { kitchen: { doors: ['cook.ts', 'knife.ts'] } },
      small: { 'hall/salt.ts': '' },
    })
  })
})

/** @param {Plan} entry */
function check(entry = plan) {
  return checkRooms(folder, { packages: { [name]: entry } })
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  const path = join(folder, name, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
