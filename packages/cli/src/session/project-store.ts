import { type FileStore, fileStore, type StoreNotice } from '@nacre/core/node'
import type { Terminal } from '../terminal.js'
import { dataPlace } from './data-place.js'

/** Where the sessions of a project are kept. */
export function projectStore(
  terminal: Pick<Terminal, 'env' | 'home' | 'now'>,
  root: string,
  report: (notice: StoreNotice) => void = () => undefined,
): FileStore {
  return fileStore({ home: dataPlace(terminal), project: root, report, now: terminal.now })
}
