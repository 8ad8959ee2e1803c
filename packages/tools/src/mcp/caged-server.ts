import { resolve } from 'node:path'
import { leadsTo } from '../paths.js'
import type { CagedInvocation } from '../sandbox/sandbox.js'
import type { LocalServer, ServerSandbox } from './gather-servers.js'

/** A server in a cage, as it is to be started. */
export interface CagedServer extends CagedInvocation {
  /** What its settings give it, for the shell in the cage that reads them from `SERVER_DESCRIPTORS.settings`. */
  readonly settings: string
}

/**
 * Beside input and output: what the server says on standard error, since that of the cage is for what is wrong with the cage,
 * and what its settings give it.
 */
export const SERVER_DESCRIPTORS = { errors: 3, settings: 4 } as const

interface Surroundings {
  /** The folder of the session: the server can write there, and nowhere else but in private places. */
  readonly workspace: string
  /** The folder that the server starts in. */
  readonly cwd: string
  /** What every server gets; keys are taken out of it. */
  readonly env: Readonly<Record<string, string>>
  /** Given to the server as it is. */
  readonly settings: Readonly<Record<string, string>>
  readonly sandbox: ServerSandbox | undefined
}

/** Throws, with the reason, where there is no sandbox: a server that is to have one never starts without. */
export async function cageServer(
  { command, args = [] }: LocalServer,
  { workspace, cwd, env, settings, sandbox }: Surroundings,
): Promise<CagedServer> {
  const { name, reason } = (await sandbox?.status()) ?? SWITCHED_OFF
  if (!sandbox || name === 'none') throw new Error(`it is to run in a sandbox, and there is none: ${reason}`)
  const exported = exportsOf(settings)
  const shell = { program: '/bin/sh', args: ['-c', SCRIPT, 'sh', command, ...args], cwd: leadsTo(cwd, '/'), env }
  const cage = { kind: 'work', workspace: [leadsTo(resolve(workspace), '/')] } as const
  return { ...(await sandbox.enter(shell, cage)), settings: exported }
}

const SWITCHED_OFF = { name: 'none', reason: 'sandboxes are switched off here' } as const

/**
 * What the settings of a server give it is read inside of the cage: outside, a variable such as LD_PRELOAD would be a program
 * that runs in front of it, and the words of a command line are seen by everybody.
 */
const SCRIPT = [
  `exec 2>&${SERVER_DESCRIPTORS.errors} ${SERVER_DESCRIPTORS.errors}>&-`,
  `nacre_settings=$(cat <&${SERVER_DESCRIPTORS.settings})`,
  `exec ${SERVER_DESCRIPTORS.settings}<&-`,
  'eval "$nacre_settings"',
  'unset nacre_settings',
  'exec "$@"',
].join('; ')

function exportsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new Error(`in a sandbox no variable can be called '${name}': letters, digits and _ make a name`)
      return `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`
    })
    .join('')
}
