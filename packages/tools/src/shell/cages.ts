import { resolve } from 'node:path'
import type { ToolContext } from '@nacre/core'
import { leadsTo } from '../paths.js'
import type { Cage } from '../sandbox/sandbox.js'
import type { ShellOptions } from './shell-options.js'
import type { PrivateFolder } from './start-process.js'

/** In which cage a command runs, and what that has refused. */
export interface Cages {
  /** Whether commands run in cages at all. */
  isCaged(): boolean
  of(context: ToolContext, folder: string): Promise<CommandSurroundings>
  /** What the sandbox has refused, in sentences for the model that say what to do. */
  refusals(cage: Cage, ran: FinishedCommand): readonly string[]
}

interface CommandSurroundings {
  /** None outside. */
  readonly cage: Cage | undefined
  readonly environment?: Readonly<Record<string, string>>
}

interface FinishedCommand {
  readonly command: string
  readonly isFailed: boolean
  readonly output: string
}

export function commandCages(options: ShellOptions, outputs: PrivateFolder): Cages {
  const { sandbox, cageOf, roots = [], outsideEnvironment } = options
  return {
    isCaged: () => sandbox?.isReady === true,
    async of({ callId, cwd }, folder) {
      const judged = await cageOf?.(callId)
      if (!sandbox?.isReady || judged === 'outside') {
        const environment = await outsideEnvironment?.(folder)
        return { cage: undefined, ...(environment && { environment }) }
      }
      // What a command has written is named to the model by its path.
      sandbox.show(await outputs.path())
      const workspace = [cwd, ...roots].map((path) => leadsTo(resolve(path), '/'))
      return { cage: judged ?? { kind: 'work', workspace } }
    },
    refusals(cage, { command, isFailed, output }) {
      const tail = output.slice(-MOST_CHARACTERS)
      const isRead = cage.kind === 'read'
      const hosts = isRead ? [] : (sandbox?.takeRefused() ?? [])
      const noted = [
        ...(READ_ONLY.test(tail) ? [refusedWrite(cage, READ_ONLY.exec(tail)?.[1])] : []),
        ...(isFailed && isRead && NO_NETWORK.test(tail) ? [NETWORK] : []),
        ...hosts.map(({ host, port, reason }) => `The host ${host}:${port} was refused: ${reason}`),
        ...(isFailed && NOT_PERMITTED.test(tail) ? [PERMITTED] : []),
        ...(ENVIRONMENT_FILE.test(command) && !cage.revealed?.length ? [COVERED] : []),
        ...(isFailed && KEYS.test(command) ? [HIDDEN] : []),
      ]
      return [...new Set(noted)]
    },
  }
}

/** What is wrong stands at the end. */
const MOST_CHARACTERS = 8_000

const READ_ONLY =
  /(?:['"‘]?((?:\.{0,2}\/)?[\w.@+~/-]+)['"’]?: )?(?:Read-only file system|Device or resource busy)|EROFS: read-only file system, \w+ '([^']+)'|\bEROFS\b/
const NO_NETWORK =
  /could not resolve (host|proxy)|EAI_AGAIN|ENOTFOUND|ENETUNREACH|network is unreachable|temporary failure in name resolution|name or service not known|no such host|failed to establish a new connection/i
const NOT_PERMITTED = /\bEPERM\b|operation not permitted/i
/** A program that reads one by name. */
const ENVIRONMENT_FILE =
  /(^|[\s;|&(])(\.|awk|base64|cat|cut|diff|grep|head|jq|less|more|nl|od|rg|sed|sort|source|strings|tail|xxd)\s[^|;&]*?(^|[\s/'"=<])\.env(\.(?!example|sample|template|dist)\w+)?(?=$|[\s'";|&>)])/
const KEYS = /(\/|~)\.(ssh|aws|gnupg|kube|docker|netrc|azure|config\/(gh|gcloud))\b|NACRE_HOME|\.nacre\b/

const NETWORK =
  'There is no network with access "read". Run it again with access "write" and a reason: then the person is asked about each host.'
const PERMITTED =
  'The sandbox refuses sockets of the file system, namespaces, mounts and signals to what is outside. If it needs one, ask to run it with access "outside" and the reason.'
const COVERED =
  'Files called .env look empty in the sandbox, since they hold keys. If it needs them, ask to run it with access "outside" and the reason.'
const HIDDEN =
  'Places that hold keys are not there in the sandbox. If it needs them, ask to run it with access "outside" and the reason.'

function refusedWrite({ kind }: Cage, path: string | undefined): string {
  const what = path === undefined ? 'a place' : path
  return kind === 'read'
    ? `The sandbox refused to write to ${what}: it only reads. If it has to write in the workspace, run it again with access "write" and the reason.`
    : `The sandbox refused to write to ${what}: it is outside of the workspace, or would run programs outside of the sandbox. If it has to be, ask to run it with access "outside" and the reason.`
}
