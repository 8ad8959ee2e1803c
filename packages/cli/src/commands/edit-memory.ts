import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { NacreError } from '@nacre/core'
import { formatView, type Memories } from '@nacre/dream'
import type { Terminal } from '../terminal/terminal.js'

/** Gives a memory another text: from an editor, from the command line, or from stdin. What can not be taken over is kept. */
export async function editMemory(
  terminal: Terminal,
  memories: Memories,
  wanted: string,
  given: string | undefined,
): Promise<string> {
  const { memory, text: before } = await memories.show(wanted)
  const inEditor = given === undefined && terminal.stdin.isTTY === true
  const file = await copyOf(basename(memory.path), before)
  if (inEditor) await openEditor(terminal, file)
  else await writeFile(file, withHead(given ?? (await readStdin(terminal, 'Give the new text by --text')), before))
  const text = await readFile(file, 'utf8')
  if (text.trim() === before.trim()) {
    await rm(dirname(file), { recursive: true, force: true })
    return 'Nothing was changed.'
  }
  try {
    if ((await memories.show(memory.id)).text !== before) {
      throw new NacreError('EDIT_REFUSED', `${memory.name} was changed by somebody else meanwhile.`)
    }
    const view = await memories.edit(memory.id, text)
    await rm(dirname(file), { recursive: true, force: true })
    return `Edited: ${formatView(view)}. Take it back with: nacre memory undo`
  } catch (error) {
    // Whoever has written something gets it back, whatever is wrong with it.
    const kept = `Nothing was changed, and your text is kept in ${file}. Mend it, and take it over with: nacre memory edit ${memory.id} < ${file}`
    throw new NacreError('EDIT_REFUSED', `${(error as Error).message} ${kept}`, { cause: error })
  }
}

/** A copy in a folder that nobody else can read. */
async function copyOf(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'nacre-memory-')), name)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** A text without a head is a body: the head stays as it is. */
function withHead(text: string, before: string): string {
  if (text.trimStart().startsWith('---')) return text
  const [head = ''] = /^---\n[\s\S]*?\n---\n/.exec(before) ?? []
  return `${head}${text.trimEnd()}\n`
}

/** As git does: the variable may hold a whole command. */
async function openEditor({ env, cwd }: Terminal, file: string): Promise<void> {
  const fallback = process.platform === 'win32' ? 'notepad' : 'vi'
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim() || fallback
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', cwd, env: { ...env } })
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code === 0) return
  throw new NacreError(
    'EDIT_REFUSED',
    `The editor '${editor}' ended with ${code === null ? 'a signal' : `code ${code}`}, so nothing was changed. What it has left is in ${file}. Another editor is named by VISUAL or EDITOR.`,
  )
}

/** All of stdin, where it is no terminal; `need` says what else one could do. */
export async function readStdin({ stdin }: Pick<Terminal, 'stdin'>, need: string): Promise<string> {
  const none = () => new NacreError('INVALID_SETTINGS', `There is no text. ${need}, or on stdin.`)
  if (stdin.isTTY) throw none()
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) text += String(chunk)
  if (text.trim() === '') throw none()
  return text
}
