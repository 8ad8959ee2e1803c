/** The flags of the plugin; known outside as `compact.name`. */
export const FLAGS = {
  /** Old tool results are cleared, by size and by time. */
  clear: true,
  /** Results are deleted from the server's cache by reference, where the model adapter can. */
  cached: false,
  /** The API itself clears old results, on models whose thinking is bound to its prefix. */
  api: true,
  /** The API itself writes summaries, where it can. */
  server: false,
  /** Summaries by the model. */
  summary: true,
  /** The summary without a model, when all else fails. */
  digest: true,
  recall: true,
  snip: true,
  /** Finished spans of work are folded one by one, in place of automatic summaries. */
  collapse: false,
} as const satisfies Record<string, boolean>

export type CompactFlag = keyof typeof FLAGS
