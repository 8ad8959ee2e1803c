import { isNacreError, type ToolResult } from '@nacre/core'
import { errorResult } from '../define-tool.js'

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EPERM: 'The system does not allow it',
  EROFS: 'It lies on a file system that can only be read',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The quota of the disk is used up',
  ENOTDIR: 'A part of the path is a file and not a folder',
  EEXIST: 'Something else is in its place',
  ELOOP: 'It is a link that leads nowhere or in a circle, or has become a link just now',
  ENAMETOOLONG: 'The name is too long',
  ENOENT: 'A folder on its path does not exist',
  EMFILE: 'Too many files are open; try again',
  EIO: 'The disk failed',
}

/** What goes wrong with a file is told to the model, in words and without the paths that are used inside. */
export async function told(path: string, signal: AbortSignal, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || isNacreError(error)) throw error
    const { code, message } = error as NodeJS.ErrnoException
    return errorResult(code === undefined ? message : `${path}: ${MEANINGS[code] ?? code}.`)
  }
}
