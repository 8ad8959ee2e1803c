import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { realPath } from '../paths/real-path.js'

/** Where the plan of a session lies, below the working directory. */
export function planFile(cwd: string, session: string): string {
  return join(cwd, '.nacre', 'plans', `${fileName(session)}.md`)
}

/** Writes a plan, whole or not at all, for its owner alone. Rejects where links would lead it out of its folder. */
export async function writePlan(cwd: string, session: string, text: string): Promise<string> {
  const file = planFile(await realPath(cwd), session)
  if ((await realPath(file)) !== file) throw new Error(`${file} is, or lies behind, a link to another place`)
  await mkdir(dirname(file), { recursive: true })
  await writeFileAtomic(file, `${text.trimEnd()}\n`, { mode: 0o600 })
  return file
}

/** An id may be anything; one that had to be changed is told apart by a hash. */
function fileName(session: string): string {
  const safe = session.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80)
  if (safe === session && safe !== '') return safe
  return `${safe}-${createHash('sha256').update(session).digest('hex').slice(0, 8)}`
}
