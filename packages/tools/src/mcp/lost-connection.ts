/** A request whose answer will never come, since the connection is gone. */
export interface LostConnection {
  readonly reason: string
  /** Whether the server may have begun with what it was asked for. */
  readonly mayHaveRun: boolean
}

/** Servers that were started anew do not know the session they are asked in: the request was not looked at. */
export function isUnknownSession(error: unknown): boolean {
  const { code, message, name } = error as {
    readonly code?: unknown
    readonly message?: string
    readonly name?: string
  }
  // An answer of the server to this very request, which may use any number as its code.
  if (name === 'McpError') return false
  return code === 404 || (code === 400 && /session/i.test(message ?? ''))
}

/** What a failure says about the connection; `undefined` when that still stands. */
export function lostConnection(
  error: unknown,
  ending: string | undefined,
  hasEnded: boolean,
): LostConnection | undefined {
  if (hasEnded) return { reason: ending ?? 'the connection was closed', mayHaveRun: true }
  if (!(error instanceof TypeError)) return undefined
  // What `fetch` throws when there is no connection; its cause says how far it came.
  const { code, message } = (error.cause ?? {}) as { readonly code?: string; readonly message?: string }
  const mayHaveRun = !['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code ?? '')
  return { reason: message || code || error.message, mayHaveRun }
}
