import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Place } from './open-session.js'
import type { ByHand } from './told.js'

interface Verified {
  readonly isWhole: boolean
  readonly checks: readonly { readonly name: string; readonly detail: string }[]
}

interface Said {
  readonly stdout: string
  readonly stderr: string
}

const MOST = 300

/** Lets the program itself check the log: that every request it led to comes out of it again. */
export async function verify({ project, home }: Place, id: string): Promise<ByHand['verified']> {
  const manifest = createRequire(import.meta.url).resolve('@nacre/cli/package.json')
  const program = join(manifest, '..', 'dist', 'main.js')
  const env = { ...process.env, NACRE_HOME: home }
  // It fails where the log is not whole, and says on stdout what it found all the same.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, 'verify', id, '--json'], {
    cwd: project,
    env,
  }).catch((error: Said) => error)
  if (!stdout.startsWith('{')) throw new Error(`nacre verify did not get to the log: ${stderr.trim().slice(0, MOST)}`)
  const { isWhole, checks } = JSON.parse(stdout) as Verified
  return { isWhole, requests: checks.find(({ name }) => name === 'requests')?.detail ?? '' }
}
