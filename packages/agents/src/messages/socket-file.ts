import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { NacreError } from '@nacre/core'
import { isProcessAlive, type Lock, makePrivateFolder, takeLock } from '@nacre/core/node'
import { errorCode } from './box-file.js'

/** Which socket is meant. */
export interface SocketPlace {
  readonly session: string
  /** `$XDG_RUNTIME_DIR/nacre`, or `nacre-<uid>` where temporary files are, if none is named. */
  readonly runtimeFolder?: string
}

/** 104 bytes with the zero behind them, on the system that has the least. */
const PATH_LIMIT = 103

/** Where the socket of a session is: short enough for the limit of socket paths, whatever the home is. */
export function socketPath({ session, runtimeFolder = ownRuntimeFolder() }: SocketPlace): string {
  const path = join(runtimeFolder, `${shortHash(session)}.sock`)
  if (Buffer.byteLength(path) <= PATH_LIMIT) return path
  // The hash of the whole path: two long folders stay two places.
  return join('/tmp', ownName(), `${shortHash(path)}.sock`)
}

function ownRuntimeFolder(): string {
  const { XDG_RUNTIME_DIR: folder } = process.env
  return folder ? join(folder, 'nacre') : join(tmpdir(), ownName())
}

function ownName(): string {
  return `nacre-${ownUser()}`
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The number of the current user. Windows has none, and no sockets in files. */
function ownUser(): number {
  return process.getuid?.() ?? 0
}

/** Throws on Windows, before anything is tried there. */
export function mustHaveSockets(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') return
  throw new NacreError('BLOCKED', 'Sessions on Windows can not send messages to one another. Use a team instead.')
}

/** Makes the folder of a socket, and throws unless it is one that nobody else can look or write into. */
export async function makeSocketFolder(path: string): Promise<void> {
  const folder = dirname(path)
  await makePrivateFolder(folder).catch((cause: unknown) => {
    const code = errorCode(cause) ?? 'unknown error'
    throw new NacreError('STORE_UNWRITABLE', `Cannot make the folder ${folder} (${code}). ${ELSEWHERE}`, { cause })
  })
  // Not what a link leads to: somebody else may have been here first, and lead us anywhere.
  const found = await lstat(folder)
  if (!found.isDirectory()) throw new NacreError('BLOCKED', `${folder} is a link and no folder. ${ELSEWHERE}`)
  mustBeOwn(found, folder, ELSEWHERE)
  if ((found.mode & 0o077) === 0) return
  throw new NacreError('BLOCKED', `Others can get into ${folder}. Close it to them: chmod 700 ${folder}`)
}

const ELSEWHERE = 'Set XDG_RUNTIME_DIR to a folder that is yours alone.'

function mustBeOwn({ uid }: Stats, path: string, advice: string): void {
  if (uid === ownUser()) return
  throw new NacreError('BLOCKED', `${path} belongs to another user. ${advice}`)
}

/** Throws unless there is a socket of the current user that nobody else can have put there. */
export async function mustBeOwnSocket(path: string): Promise<void> {
  const advice = 'Only sessions of the same user send messages to one another.'
  const folder = await stat(dirname(path)).catch(missing(path))
  // The folder first: what lies in one of another user may change until it is used.
  mustBeOwn(folder, dirname(path), advice)
  const found = await lstat(path).catch(missing(path))
  mustBeOwn(found, path, advice)
  if (!found.isSocket()) throw new NacreError('BLOCKED', `${path} is no socket. Ask for the address of the session.`)
  if ((folder.mode & 0o022) === 0) return
  throw new NacreError(
    'BLOCKED',
    `Others can write into ${dirname(path)}, so ${path} may be theirs. Take it elsewhere.`,
  )
}

function missing(path: string): (cause: unknown) => never {
  return (cause) => {
    const code = errorCode(cause)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new NacreError('BLOCKED', `Cannot look at ${path} (${code ?? cause}). Ask for its address again.`, {
        cause,
      })
    }
    const message = `No session is at ${path}. It has ended or never took messages: ask for its address again.`
    throw new NacreError('NOT_FOUND', message, { cause })
  }
}

/**
 * Takes the right to make or remove the socket at a path. Without it one who finds a dead socket could remove the live
 * one that another has put in its place meanwhile.
 */
export function lockSocket(path: string): Promise<Lock | { readonly holder: string }> {
  return takeLock(`${path}.lock`, { now: Date.now, isAlive: isProcessAlive })
}

/** Removes a socket that nobody listens at. Only for the holder of its lock; answers false if somebody does listen. */
export async function removeDeadSocket(path: string): Promise<boolean> {
  if (await isAlive(path)) return false
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  return true
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Anything else, as a queue that is full, has somebody behind it.
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error) ?? '')))
  })
}

/** Clears away the socket of a session that is gone, if it lies where our sessions have theirs. */
export async function sweepSocket(path: string, runtimeFolder: string | undefined): Promise<void> {
  const own = socketPath({ session: '', ...(runtimeFolder !== undefined && { runtimeFolder }) })
  if (dirname(path) !== dirname(own)) return
  const lock = await lockSocket(path)
  // Held: a session is about to take it over.
  if ('holder' in lock) return
  try {
    await mustBeOwnSocket(path)
    await removeDeadSocket(path)
  } finally {
    await lock.release()
  }
}
