import { isNacreError, NacreError } from '../nacre-error.js'

const ELSEWHERE = 'or set NACRE_HOME to another folder'
const PERMISSION = `Give yourself the right to write there, ${ELSEWHERE}.`
const IN_THE_WAY = `Something that is no folder is in the way. Move it, ${ELSEWHERE}.`
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: `The disk is full. Free some space, ${ELSEWHERE}.`,
  EDQUOT: `Your share of the disk is used up. Free some space, ${ELSEWHERE}.`,
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: `The disk is read-only. Make it writable, ${ELSEWHERE}.`,
  ENOENT: 'The folder is gone, or none can be made there. Set NACRE_HOME to one that stays.',
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  EMFILE: 'Too many files are open. Close some sessions, or raise the limit (ulimit -n).',
  ENAMETOOLONG: 'The name is too long. Choose a shorter one.',
}

/** What the file system refused, with the path and what to do about it. An error of ours stays as it is. */
export function unwritable(cause: unknown, path: string): NacreError {
  if (isNacreError(cause)) return cause
  const code = errorCode(cause) ?? 'unknown error'
  const advice = ADVICE[code] ?? `Look at the disk, ${ELSEWHERE}.`
  return new NacreError('STORE_UNWRITABLE', `Cannot write ${path} (${code}). ${advice}`, { cause })
}

/** The file system's name for an error. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** For a step that may find its work done already: a missing file is no error there. */
export function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}
