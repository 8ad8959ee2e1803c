/** A file that a call opens: by the name it was given, and where that leads. */
export interface PathAccess {
  readonly kind: 'read' | 'write'
  /** The tool whose rules speak of it. */
  readonly tool: string
  readonly given: string
  readonly real: string
}
