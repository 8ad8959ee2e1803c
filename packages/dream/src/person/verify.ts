import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { deadPointers } from '../change/take.js'
import { type Folders, SCOPES, type Scope } from '../folders/memory-folder.js'
import type { Logs } from '../logs/logs.js'
import type { Memory } from '../memory/memory.js'

/** Something about a memory that a person should look at. */
export interface Finding {
  readonly scope: Scope
  readonly name: string
  readonly path: string
  readonly problem: string
}

const PATHS = /(?<![\w/:.@-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w.-]*\w(?![\w/]*:\/\/)/g
const COMMANDS = /`(?:[A-Z_]+=\S+ )?([a-z][\w.-]*) [^`]*`/g

/** Whether what memories name is still so: their evidence, the files, the commands. */
export async function verifyMemories(folders: Folders, logs: Logs): Promise<readonly Finding[]> {
  const all = await Promise.all(
    SCOPES.map(async (scope): Promise<readonly Finding[]> => {
      const { memories, files } = await folders[scope].read()
      const { unverified } = await folders[scope].loaded(logs, true)
      const live = [...memories.live.values()]
      const about = (memory: Memory, problem: string): Finding => ({
        scope,
        name: memory.name,
        path: memory.path,
        problem,
      })
      const found = await Promise.all(
        live.map(async (memory) => (await missingIn(memory, folders.root)).map((problem) => about(memory, problem))),
      )
      return [
        ...memories.damaged.map(({ path, problem }) => ({
          scope,
          name: path,
          path,
          problem: `it is not loaded: ${problem}`,
        })),
        ...live.flatMap((memory) => {
          const why = unverified.get(memory.id)
          return why === undefined ? [] : [about(memory, `it is not loaded: ${why}`)]
        }),
        ...deadPointers(files).map((path) => ({
          scope,
          name: path,
          path,
          problem: 'the index points to it, and it is not there',
        })),
        ...found.flat(),
      ]
    }),
  )
  return all.flat()
}

async function missingIn({ body }: Memory, root: string): Promise<readonly string[]> {
  const withoutAddresses = body.replace(/\b\w+:\/\/\S+/g, ' ')
  const paths = [...new Set(withoutAddresses.match(PATHS) ?? [])].filter((path) => /\.\w+$|^\.{0,2}\//.test(path))
  const commands = [...new Set([...withoutAddresses.matchAll(COMMANDS)].map(([, name = '']) => name))].filter(
    (name) => !name.includes('.'),
  )
  const missing = await Promise.all([
    ...paths.map(async (path) =>
      (await exists(isAbsolute(path) ? path : join(root, path))) ? [] : [`${path} is not there any more`],
    ),
    ...commands.map(async (name) => ((await isCommand(name)) ? [] : [`the command ${name} is not found`])),
  ])
  return missing.flat()
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function isCommand(name: string): Promise<boolean> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const names = process.platform === 'win32' ? [name, `${name}.exe`, `${name}.cmd`] : [name]
  const found = await Promise.all(folders.flatMap((folder) => names.map((each) => exists(join(folder, each)))))
  return found.includes(true)
}
