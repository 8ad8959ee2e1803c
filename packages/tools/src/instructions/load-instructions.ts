import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { bytesAt, decodeText, fileHash } from '../files/text-file.js'
import {
  foldersBetween,
  INSTRUCTION_NAMES,
  isWithin,
  LOCAL_INSTRUCTION_NAMES,
  managedFolder,
  projectRoot,
  realPath,
} from '../paths.js'
import { firstChars } from '../text.js'

/** Where instructions come from, the general before the particular. */
export type InstructionKind = 'managed' | 'user' | 'project' | 'local' | 'nested'

/** A file with instructions, as it was read. */
export interface InstructionFile {
  readonly kind: InstructionKind
  /** The real path. */
  readonly path: string
  readonly text: string
  /** Of what is on disk. */
  readonly hash: string
  /** The file that imports it, where it was not looked for itself. */
  readonly importedBy?: string
}

export interface InstructionsOptions {
  /** Folder of those who manage the machine; customary for the platform unless told. */
  readonly managed?: string
  /** Of the person; their instructions are in `.claude` and `.nacre` in it. */
  readonly home?: string
  /** Where the project begins; the repository around the working directory unless told. */
  readonly root?: string
  /** Lets files of a project import what lies outside of it. No unless told. */
  readonly importsAnywhere?: boolean
}

/** The instructions of a session, the general before the particular. Later ones hold where two contradict. */
export async function loadInstructions(
  cwd: string,
  options: InstructionsOptions = {},
): Promise<readonly InstructionFile[]> {
  const { managed = managedFolder(), home = homedir() } = options
  const loading = await startLoading(cwd, options)
  const project = foldersBetween(loading.root, await realPath(cwd))
  const places: readonly (readonly [InstructionKind, readonly string[], readonly string[]])[] = [
    ['managed', [managed], INSTRUCTION_NAMES],
    ['user', [join(home, '.claude'), join(home, '.nacre')], INSTRUCTION_NAMES],
    ['project', project, INSTRUCTION_NAMES],
    ['local', project, LOCAL_INSTRUCTION_NAMES],
  ]
  const found: InstructionFile[] = []
  for (const [kind, folders, names] of places) {
    for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
      found.push(...(await loadFile(loading, kind, path)))
    }
  }
  return found
}

export async function startLoading(cwd: string, options: InstructionsOptions): Promise<Loading> {
  const real = await realPath(cwd)
  const { root, home, importsAnywhere = false } = options
  return {
    root: root === undefined ? projectRoot(real) : await realPath(root),
    importsAnywhere,
    home,
    seen: new Set(),
  }
}

/** One loading of instructions: what it may read, and what it has read. */
interface Loading {
  /** Files of a project lead nowhere else, unless that is allowed: a project must not bring a person's secrets in. */
  readonly root: string
  readonly importsAnywhere: boolean
  readonly home?: string | undefined
  /** Real paths: each file comes once, so a circle of imports ends. */
  readonly seen: Set<string>
}

const DEPTH = 5
const MOST_FILES = 100
const MOST_CHARACTERS = 40_000
const MOST_BYTES = 1_000_000

/** A file and what it imports, in that order; nothing where there is no such file. */
export async function loadFile(
  loading: Loading,
  kind: InstructionKind,
  path: string,
  depth = 0,
  importedBy?: string,
): Promise<readonly InstructionFile[]> {
  const real = await realPath(path).catch(() => undefined)
  if (real === undefined || !mayLoad(loading, kind, real) || loading.seen.has(real)) return []
  if (loading.seen.size >= MOST_FILES) return []
  const bytes = await instructionBytes(real)
  const content = bytes && decodeText(bytes)?.text
  if (!bytes || content === undefined || content.trim() === '') return []
  loading.seen.add(real)
  const text = shortened(content)
  const own = { kind, path: real, text, hash: fileHash(bytes), ...(importedBy && { importedBy }) }
  if (depth === DEPTH) return [own]
  const imported: (readonly InstructionFile[])[] = []
  for (const each of findImports(text)) {
    imported.push(await loadFile(loading, kind, target(loading, real, each), depth + 1, real))
  }
  return [own, ...imported.flat()]
}

/** In the place of what can not be read stands why: a person who wonders where their instructions are can find it. */
async function instructionBytes(path: string): Promise<Buffer | undefined> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return undefined
  try {
    return (await bytesAt(path, undefined, MOST_BYTES))?.bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return undefined
    return Buffer.from(`[These instructions were not read. ${(error as Error).message}]`)
  }
}

function mayLoad({ root, importsAnywhere }: Loading, kind: InstructionKind, real: string): boolean {
  return importsAnywhere || kind === 'managed' || kind === 'user' || isWithin(root, real)
}

function target({ home = homedir() }: Loading, from: string, path: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(dirname(from), path)
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  return `${firstChars(text, MOST_CHARACTERS)}\n[Cut: the file has ${text.length} characters. Read it for the rest.]`
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const INLINE = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g
// One without an end goes on to the end of the text, as in Markdown.
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const IMPORT = /(?<=^|[\s([])@((?:\\ |[^\s`]){1,1000})/gm
/** What ends a sentence does not end a path. */
const PUNCTUATION = /[.,;:!?)\]]+$/

/** The paths that a text imports by `@path`, in order. Code and comments import nothing. */
function findImports(text: string): readonly string[] {
  const prose = withoutFences(text).replace(COMMENT, '').replace(INLINE, '')
  const found = [...prose.matchAll(IMPORT)].map(([, path = '']) => path.replace(PUNCTUATION, '').replaceAll('\\ ', ' '))
  return [...new Set(found.filter((path) => /[./~]/.test(path)))]
}

function withoutFences(text: string): string {
  let open: string | undefined
  const kept = text.split('\n').filter((line) => {
    const [, fence] = FENCE.exec(line) ?? []
    if (open === undefined) {
      open = fence
      return fence === undefined
    }
    if (fence?.startsWith(open) && line.trim() === fence) open = undefined
    return false
  })
  return kept.join('\n')
}
