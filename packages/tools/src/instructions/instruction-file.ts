/** Where instructions come from, the general before the particular. */
export type InstructionKind = 'managed' | 'user' | 'project' | 'local' | 'nested'

/** A file with instructions, as it was read. */
export interface InstructionFile {
  readonly kind: InstructionKind
  /** The real path. */
  readonly path: string
  readonly text: string
  /** Of what is on disk. */
  readonly hash: string
  /** The file that imports it, where it was not looked for itself. */
  readonly importedBy?: string
}
