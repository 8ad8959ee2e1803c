import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isWithin } from '../paths.js'
import { type CageSite, enterCage, findBubblewrap, openSite, type SiteOptions } from './enter-cage.js'
import { follow } from './follow-cage.js'
import type { CageNetwork } from './network.js'
import type { Cage, CagedInvocation, Invocation, SandboxStatus } from './sandbox.js'
import { SEATBELT_REASON } from './seatbelt.js'
import { standstill } from './standstill.js'

export interface SandboxOptions extends SiteOptions {
  /** `none`: commands are not put into cages, though they could be. */
  readonly use?: 'auto' | 'none'
}

/** Puts commands into cages. One for a session and its agents: they share private folders and the network. */
export interface Sandbox {
  /** What this machine has, found out by trying it; once. */
  status(): Promise<SandboxStatus>
  /** Whether commands are put into cages. Nobody knows before `status` was asked. */
  readonly isReady: boolean
  /** Makes a program one in a cage. */
  enter(invocation: Invocation, cage: Cage): Promise<CagedInvocation>
  /** Where a folder of a cage is found outside. */
  outside(path: string): string
  /** A place that commands may look at, though it lies where nothing is shown. */
  show(path: string): void
  /** A place that commands may not look at. */
  hide(path: string): void
  /** Hosts that were refused since this was asked the last time. */
  takeRefused(): ReturnType<CageNetwork['takeRefused']>
  /** Makes a port of a server in a cage one of this machine. */
  publish(port: number): Promise<void>
  unpublish(port: number): Promise<void>
  published(): readonly number[]
  /** Whoever uses it says so, and gets the way to say that they are done. The last one ends all. */
  use(): () => Promise<void>
}

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const shown = new Set<string>()
  const kept = new Set<string>()
  let users = 0
  let found: Promise<SandboxStatus> | undefined
  let status: SandboxStatus | undefined
  let opening: Promise<CageSite> | undefined
  let site: CageSite | undefined
  const open = async () => {
    opening ??= openSite(options, { shown, hidden: kept })
    site = await opening
    return site
  }
  const others = standstill()
  const enter = async (invocation: Invocation, cage: Cage): Promise<CagedInvocation> => {
    const opened = await open()
    const goOn = await others.begin()
    try {
      const { after, ...entered } = await enterCage(opened, invocation, cage)
      return {
        ...entered,
        follow: (child) => follow(child, { isHeld: entered.isHeld, others, goOn }),
        async after() {
          const goOn = await others.begin()
          return after().finally(goOn)
        },
      }
    } catch (error) {
      goOn()
      throw error
    }
  }
  const close = async () => {
    const closing = opening
    opening = undefined
    site = undefined
    found = undefined
    status = undefined
    const closed = await closing?.catch(() => undefined)
    if (closed) await closeSite(closed)
  }
  return {
    async status() {
      found ??= tryOut(options, enter)
      status = await found
      return status
    },
    get isReady() {
      return status !== undefined && status.name !== 'none'
    },
    enter,
    outside: (path) => placeOutside(path, site),
    show: (path) => void shown.add(path),
    hide: (path) => void kept.add(path),
    takeRefused: () => site?.network.takeRefused() ?? [],
    publish: async (port) => (await open()).network.publish(port),
    unpublish: async (port) => site?.network.unpublish(port),
    published: () => site?.network.published() ?? [],
    use() {
      users += 1
      let isDone = false
      return async () => {
        if (isDone) return
        isDone = true
        users -= 1
        if (users === 0) await close()
      }
    },
  }
}

async function closeSite({ network, limits, folder }: CageSite): Promise<void> {
  await network.close()
  await limits.close()
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

function placeOutside(path: string, site: CageSite | undefined): string {
  const root = ['/tmp', '/var/tmp'].find((folder) => isWithin(folder, path))
  return root === undefined || !site ? path : join(site.folder, 'tmp', path.slice(root.length))
}

const INSTALL =
  'Install the package bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap, apk add bubblewrap).'
const NAMESPACES_OFF =
  'Namespaces may be switched off for users here: see kernel.unprivileged_userns_clone, user.max_user_namespaces and, on Ubuntu, kernel.apparmor_restrict_unprivileged_userns.'
const PATIENCE = 30_000
/** A file that was to be covered may be gone at just that moment. */
export const MOST_TRIES = 3
/** What can be written by whoever runs this can't be in a cage that only reads. */
const PROBE = '[ ! -w /usr ] && [ ! -w /etc ] && [ ! -w / ] && echo caged'

/** To find the program proves nothing: namespaces may be switched off. So a command is run, and looked at from inside. */
async function tryOut({ use = 'auto', program }: SandboxOptions, enter: Sandbox['enter']): Promise<SandboxStatus> {
  const none = (reason: string): SandboxStatus => ({ name: 'none', reason })
  if (use === 'none') return none('it is switched off by a setting.')
  const isMac = process.platform === 'darwin'
  if (!isMac && process.platform !== 'linux') return none(`there is none for ${process.platform}.`)
  if (isMac && !existsSync('/usr/bin/sandbox-exec')) return none('/usr/bin/sandbox-exec was not found.')
  if (!isMac && program === undefined && !findBubblewrap()) return none(`bubblewrap was not found. ${INSTALL}`)
  try {
    const probe = () =>
      enter(
        { program: '/bin/sh', args: ['-c', PROBE], cwd: '/', env: { PATH: process.env.PATH } },
        { kind: 'read', workspace: [] },
      )
    let said = ''
    for (let tries = 0; tries < MOST_TRIES && said.trim() !== 'caged'; tries++) said = await outputOf(await probe())
    if (said.trim() === 'caged')
      return isMac
        ? { name: 'sandbox-exec', reason: SEATBELT_REASON }
        : { name: 'bubblewrap', reason: 'bubblewrap works here.' }
    return none(`bubblewrap does not work here: ${said.trim() || 'it gave no answer'}. ${NAMESPACES_OFF}`)
  } catch (error) {
    return none(`bubblewrap does not work here: ${(error as Error).message}.`)
  }
}

async function outputOf({ program, args, env, cwd, descriptors, follow }: CagedInvocation): Promise<string> {
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', 'ignore', ...descriptors],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  for (const descriptor of descriptors) closeSync(descriptor)
  child.on('error', () => undefined)
  follow(child)
  const [said, wrong] = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  return said || wrong || ''
}
