import type { ShownTool } from '../define-tool.js'
import type { PathGuard } from '../paths/path-guard.js'
import { type EditInput, editTool } from './edit-tool.js'
import { type MultiEditInput, multiEditTool } from './multi-edit-tool.js'
import { type ReadInput, readTool } from './read-tool.js'
import { createSightings } from './sightings.js'
import { type WriteInput, writeTool } from './write-tool.js'

export interface FileToolOptions {
  /** Asked again with what a call has really opened, before it is used. */
  readonly guard?: PathGuard
}

export interface FileTools {
  readonly read: ShownTool<ReadInput>
  readonly write: ShownTool<WriteInput>
  readonly edit: ShownTool<EditInput>
  readonly multiEdit: ShownTool<MultiEditInput>
}

/** Tools that read and change files. They know of one another: what one has read the others may change. */
export function fileTools({ guard }: FileToolOptions = {}): FileTools {
  const parts = { guard, sightings: createSightings(), patches: new WeakMap<object, string>() }
  return { read: readTool(parts), write: writeTool(parts), edit: editTool(parts), multiEdit: multiEditTool(parts) }
}
