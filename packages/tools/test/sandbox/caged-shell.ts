import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@nacre/core'
import {
  bashTools,
  type CageKind,
  createPermissions,
  createSandbox,
  type PermissionMode,
  type PermissionsOptions,
  textOf,
} from '../../src/index.js'

export type Rules = NonNullable<PermissionsOptions['rules']>

interface RunOptions {
  readonly access?: 'read' | 'write' | 'outside'
  readonly reason?: string
  readonly timeout?: number
  /** What the person says if asked; no unless told. */
  readonly answer?: 'yes' | 'no'
}

export interface RanCommand {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly reason: string
  /** Where it ran; nothing where it did not. */
  readonly ran: CageKind | 'outside' | undefined
  readonly text: string
  readonly isError: boolean
}

export interface CagedShell {
  /** Judges a call of Bash as the loop does, and runs it if that is allowed without a question or the person says yes. */
  run(command: string, options?: RunOptions): Promise<RanCommand>
  close(): Promise<void>
}

interface ShellSetting {
  readonly cwd: string
  readonly mode?: PermissionMode
  readonly rules?: Rules
  readonly home?: string
  /** In place of the variables of this process. */
  readonly env?: NodeJS.ProcessEnv
  readonly hidden?: readonly string[]
  /** In place of bubblewrap. */
  readonly program?: string
  readonly allows?: (host: string, port: number) => Promise<true | string>
}

let calls = 0

/** A shell with permissions and the sandbox of this machine, put together as `standardTools` does it. */
export async function cagedShell(setting: ShellSetting): Promise<CagedShell> {
  const { cwd, mode, rules, home, env, hidden, program, allows } = setting
  // A folder of its own, so that those of other tests are not looked through.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nacre-caged-')))
  const options = {
    ...(home && { home }),
    ...(hidden && { hidden }),
    ...(program && { program }),
    ...(allows && { allows }),
  }
  const sandbox = createSandbox({ folder, ...options })
  await sandbox.status()
  const live = createPermissions({ ...(mode && { mode }), ...(rules && { rules }), sandbox })
  const given = env && { ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])), ...env }
  const tools = bashTools({
    sandbox,
    isReadOnlyCommand: live.onlyReads,
    cageOf: live.cageOf,
    folder,
    ...(given && { environment: given }),
  })
  return {
    async run(command, { access, reason, timeout, answer } = {}) {
      const input = { command, access, reason, timeout }
      const call = { id: `call-${++calls}`, name: 'Bash', input: JSON.parse(JSON.stringify(input)) }
      const judged = live.judge(call, tools.bash as Tool, cwd)
      const verdict = judged.verdict === 'pass' ? 'allow' : judged.verdict
      const none = { verdict, reason: judged.reason, ran: undefined, text: '', isError: false }
      if (verdict === 'deny' || (verdict === 'ask' && answer !== 'yes')) return none
      const cage = await live.cageOf(call.id)
      const ran = typeof cage === 'object' ? cage.kind : 'outside'
      const { signal } = new AbortController()
      const context = { callId: call.id, cwd, signal, progress: () => undefined }
      const result = await Promise.resolve(tools.bash.run(input, context)).catch((error: Error) => error)
      live.forget(call.id)
      // A cage that can't be made runs nothing.
      if (result instanceof Error) return { ...none, reason: result.message, text: result.message, isError: true }
      return { ...none, ran, text: textOf(result), isError: result.isError === true }
    },
    async close() {
      await tools.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function whyNone(): Promise<string | undefined> {
  const sandbox = createSandbox()
  const done = sandbox.use()
  const { name, reason } = await sandbox.status()
  await done()
  return name === 'none' ? reason : undefined
}

/** Why there is no sandbox on this machine; nothing where there is one. */
export const noCage = await whyNone()
