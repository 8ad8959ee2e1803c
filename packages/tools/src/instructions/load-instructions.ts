import { homedir } from 'node:os'
import { join } from 'node:path'
import { INSTRUCTION_NAMES, LOCAL_INSTRUCTION_NAMES } from '../paths/instruction-name.js'
import { foldersBetween, projectRoot } from '../paths/project-root.js'
import { realPath } from '../paths/real-path.js'
import type { InstructionFile, InstructionKind } from './instruction-file.js'
import { type Loading, loadFile } from './load-file.js'

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
  const { managed = managedFolder(process.platform), home = homedir() } = options
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

function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/nacre'
  if (platform === 'win32') return join(process.env.PROGRAMDATA ?? 'C:\\ProgramData', 'nacre')
  return '/etc/nacre'
}
