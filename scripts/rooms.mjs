// The filing of the sources: a folder of `src` is a room with one or two doors, arrows between rooms have no cycle,
// types included, and a file is a chapter. The doors, and the small files that have a reason, stand in rooms.json.
//
//   node scripts/rooms.mjs                        checks every package
//   node scripts/rooms.mjs --doors packages/core  prints the entry of a package as its code is now

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import typescript from 'typescript'
import { root } from './environment.mjs'

/**
 * What rooms.json says of a package. `doors` are files of the folder that other folders may import; `'all'` and more
 * than two need a `why`. `small` has the files under 40 lines with one importer, each with its reason.
 * @typedef {{ doors: readonly string[] | 'all', why?: string }} Room
 * @typedef {{ rooms?: Readonly<Record<string, Room>>, small?: Readonly<Record<string, string>> }} Plan
 * @typedef {{ packages: Readonly<Record<string, Plan>> }} Plans
 */

/**
 * A package as it is: the lines of each file of `src` and the files that it imports, all relative to `src`. Entries
 * only name the public surface, so they may reach into every room.
 * @typedef {{ member: string, lines: Map<string, number>, imports: readonly Import[], entries: Set<string> }} Sources
 * @typedef {{ from: string, to: string }} Import
 */

const SMALL = 40
const DOORS = 2
const isSource = /(?<!\.(test|test-d|d))\.tsx?$/

/**
 * What is wrong in the packages and apps below a folder, each in words that say what to do.
 * @param {string} folder
 * @param {Plans} plans
 * @returns {string[]}
 */
export function checkRooms(folder, { packages }) {
  const members = membersOf(folder)
  const gone = Object.keys(packages).filter((member) => !members.includes(member))
  return [
    ...gone.map((member) => `${member}: there is no such package; remove it from rooms.json.`),
    ...members.flatMap((member) => checkPackage(readSources(folder, member), packages[member])),
  ]
}

/**
 * The entry of a package in rooms.json as its code is now; every empty `why` waits for a reason.
 * @param {string} folder
 * @param {string} member
 * @returns {Plan}
 */
export function planOf(folder, member) {
  const sources = readSources(folder, member)
  const rooms = roomsOf(sources).flatMap((room) => {
    const doors = [...usedDoors(sources, room)].sort()
    return doors.length > 0 ? [[room, { doors, ...(doors.length > DOORS && { why: '' }) }]] : []
  })
  const small = smallFiles(sources).map(({ file }) => [file, ''])
  return { rooms: Object.fromEntries(rooms), ...(small.length > 0 && { small: Object.fromEntries(small) }) }
}

/**
 * @param {Sources} sources
 * @param {Plan | undefined} plan
 */
function checkPackage(sources, plan) {
  const { member } = sources
  const problems = [...cycles(sources), ...smallProblems(sources, plan?.small ?? {})]
  if (plan) problems.push(...doorProblems(sources, plan.rooms ?? {}))
  else if (roomsOf(sources).length > 1) {
    problems.push(
      `it has folders and no doors; add what 'node scripts/rooms.mjs --doors ${member}' prints to rooms.json.`,
    )
  }
  return problems.map((problem) => `${member}: ${problem}`)
}

/**
 * One circle of each knot of folders, with the imports that make it.
 * @param {Sources} sources
 */
function cycles({ imports, entries }) {
  /** @type {Map<string, Map<string, Import[]>>} */
  const arrows = new Map()
  for (const each of imports) {
    const [from, to] = [posix.dirname(each.from), posix.dirname(each.to)]
    if (from === to || entries.has(each.from)) continue
    const targets = arrows.get(from) ?? new Map()
    arrows.set(from, targets.set(to, [...(targets.get(to) ?? []), each]))
  }
  const problems = []
  const told = new Set()
  for (const start of [...arrows.keys()].sort()) {
    const circle = told.has(start) ? undefined : shortestCircle(arrows, start)
    if (!circle) continue
    for (const room of circle) told.add(room)
    const steps = circle.flatMap((room, index) => arrows.get(room)?.get(circle[index + 1] ?? start) ?? [])
    problems.push(
      `the folders ${[...circle, start].map(shown).join(' -> ')} import one another in a circle. ` +
        `Move what both need below them, or turn one of these imports round:\n${steps.map(listed).join('\n')}`,
    )
  }
  return problems
}

/**
 * The folders on the shortest way from one back to itself.
 * @param {Map<string, Map<string, Import[]>>} arrows
 * @param {string} start
 * @returns {string[] | undefined}
 */
function shortestCircle(arrows, start) {
  const ways = [[start]]
  const seen = new Set()
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return way
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

/**
 * @param {Sources} sources
 * @param {Readonly<Record<string, Room>>} plans
 */
function doorProblems(sources, plans) {
  const rooms = roomsOf(sources)
  const gone = Object.keys(plans).filter((room) => !rooms.includes(room))
  const problems = gone.map((room) => `there is no folder ${shown(room)}; remove it from rooms.json.`)
  for (const [room, { doors, why }] of Object.entries(plans)) {
    if ((doors === 'all' || doors.length > DOORS) && !why) {
      problems.push(`${shown(room)} has more than ${DOORS} doors; use fewer, or say why in rooms.json.`)
    }
    const used = usedDoors(sources, room)
    const unused = doors === 'all' || gone.includes(room) ? [] : doors.filter((door) => !used.has(door))
    for (const door of unused) {
      problems.push(`no other folder imports ${posix.join(room, door)}; remove this door from rooms.json.`)
    }
  }
  for (const { from, to } of intrusions(sources)) {
    const room = posix.dirname(to)
    const { doors = [] } = plans[room] ?? {}
    if (doors === 'all' || doors.includes(posix.basename(to))) continue
    const through = doors.length > 0 ? `through its door ${doors.join(' or ')}` : 'through a door, of which it has none'
    problems.push(
      `${from} imports ${to}. Import ${shown(room)} ${through}, or make ${posix.basename(to)} a door in rooms.json.`,
    )
  }
  return problems
}

/**
 * @param {Sources} sources
 * @param {Readonly<Record<string, string>>} allowed
 */
function smallProblems(sources, allowed) {
  const small = smallFiles(sources)
  const problems = small
    .filter(({ file }) => !allowed[file])
    .map(
      ({ file, lines, importer }) =>
        `${file} has ${lines} lines and one importer. Move it into ${importer}, or say under 'small' in rooms.json ` +
        'why it is a file of its own.',
    )
  const needless = Object.keys(allowed).filter((file) => !small.some((each) => each.file === file))
  for (const file of needless) {
    problems.push(
      `${file} needs no reason any more (it is gone, has ${SMALL} lines, or not one importer); remove it from 'small' ` +
        'in rooms.json.',
    )
  }
  return problems
}

/**
 * Files under 40 lines with exactly one importer.
 * @param {Sources} sources
 */
function smallFiles({ lines, imports }) {
  return [...lines].flatMap(([file, count]) => {
    const importers = new Set(imports.filter(({ to }) => to === file).map(({ from }) => from))
    const [importer] = importers
    return count < SMALL && importers.size === 1 ? [{ file, lines: count, importer }] : []
  })
}

/**
 * Imports of a file in another folder, but for those of entries.
 * @param {Sources} sources
 */
function intrusions({ imports, entries }) {
  return imports.filter(({ from, to }) => posix.dirname(from) !== posix.dirname(to) && !entries.has(from))
}

/**
 * @param {Sources} sources
 * @param {string} room
 */
function usedDoors(sources, room) {
  const into = intrusions(sources).filter(({ to }) => posix.dirname(to) === room)
  return new Set(into.map(({ to }) => posix.basename(to)))
}

/** @param {Sources} sources */
function roomsOf({ lines }) {
  return [...new Set([...lines.keys()].map((file) => posix.dirname(file)))].sort()
}

/** @param {string} room */
function shown(room) {
  return room === '.' ? 'src' : room
}

/** @param {Import} each */
function listed({ from, to }) {
  return `    ${from} imports ${to}`
}

/**
 * Packages and apps that have sources.
 * @param {string} folder
 */
function membersOf(folder) {
  return ['packages', 'apps']
    .filter((parent) => existsSync(join(folder, parent)))
    .flatMap((parent) => readdirSync(join(folder, parent)).map((name) => `${parent}/${name}`))
    .filter((member) => existsSync(join(folder, member, 'src')))
    .sort()
}

/**
 * @param {string} folder
 * @param {string} member
 * @returns {Sources}
 */
function readSources(folder, member) {
  const src = join(folder, member, 'src')
  const texts = new Map(
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => isSource.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(src, file), 'utf8')]),
  )
  const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n').length - 1]))
  const imports = [...texts].flatMap(([from, text]) => importedFiles(from, text, lines).map((to) => ({ from, to })))
  return { member, lines, imports, entries: entriesOf(join(folder, member), lines) }
}

/**
 * The files of a package that one of them imports: for values or types, at the start or later.
 * @param {string} from
 * @param {string} text
 * @param {ReadonlyMap<string, unknown>} files
 */
function importedFiles(from, text, files) {
  const { importedFiles: found } = typescript.preProcessFile(text, true, true)
  const paths = found
    .filter(({ fileName }) => fileName.startsWith('.'))
    .flatMap(({ fileName }) => sourceOf(posix.join(posix.dirname(from), fileName), files))
  return [...new Set(paths)]
}

/**
 * What the manifest names in `exports` and `bin`, as files of `src`.
 * @param {string} folder
 * @param {ReadonlyMap<string, unknown>} files
 */
function entriesOf(folder, files) {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const named = leaves([exports, bin])
  return new Set(named.flatMap((path) => sourceOf(path.replace(/^\.\/(src|dist)\//, ''), files)))
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function leaves(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

/**
 * The source that a path with `.js` means.
 * @param {string} path
 * @param {ReadonlyMap<string, unknown>} files
 */
function sourceOf(path, files) {
  const stem = path.replace(/\.(js|tsx?)$/, '')
  return [`${stem}.ts`, `${stem}.tsx`].filter((file) => files.has(file)).slice(0, 1)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [mode, member] = process.argv.slice(2)
  if (mode === '--doors' && member) {
    const named = `${basename(dirname(member))}/${basename(member)}`
    process.stdout.write(`${JSON.stringify({ [named]: planOf(root, named) }, undefined, 2)}\n`)
  } else {
    const problems = checkRooms(root, JSON.parse(readFileSync(join(root, 'rooms.json'), 'utf8')))
    for (const problem of problems) process.stdout.write(`${problem}\n`)
    process.exitCode = problems.length > 0 ? 1 : 0
  }
}
