import type { Json, ToolContext, ToolResult } from '@nacre/core'
import { errorResult } from '../define-tool.js'
import { resultBlocks } from './result-blocks.js'
import type { ServerConnection } from './server-connection.js'

/** The JSON-RPC code by which the library tells that time is up. */
const TIME_IS_UP = -32001

/** Runs a tool of a server. Whatever goes wrong is a result that says whether the call may have run. */
export async function callServer(
  connection: ServerConnection,
  call: { readonly tool: string; readonly input: Json; readonly timeout: number },
  { signal, progress }: ToolContext,
): Promise<ToolResult> {
  const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const { tool, timeout } = call
  const where = `MCP server '${connection.name}'`
  const params = { name: tool, arguments: call.input as Record<string, unknown> }
  const limits = {
    timeout,
    resetTimeoutOnProgress: true,
    onprogress: (step: Progress) => progress(wordProgress(step)),
  }
  try {
    const answered = await connection.ask(
      (client, own) =>
        client.request({ method: 'tools/call', params }, CallToolResultSchema, { ...limits, signal: own }),
      signal,
    )
    if ('answer' in answered) return resultBlocks(answered.answer)
    const { reason, mayHaveRun } = answered.lost
    return errorResult(
      mayHaveRun
        ? `${where} was lost while '${tool}' ran: ${reason}. The call may or may not have run: look before you repeat it. The server is connected again.`
        : `${where} can not be reached: ${reason}. The call did not run.`,
    )
  } catch (error) {
    signal.throwIfAborted()
    const { code, message, data } = error as CallError
    // A server may answer with the same code; only the library tells how long it waited.
    if (code !== TIME_IS_UP || data?.timeout !== timeout)
      return errorResult(`${where} refused the call of '${tool}': ${message}`)
    return errorResult(
      `'${tool}' of ${where} gave no sign for ${timeout / 1_000} s and was cancelled. It may or may not have run: look before you repeat it.`,
    )
  }
}

interface CallError {
  readonly code?: number
  readonly message: string
  readonly data?: { readonly timeout?: unknown }
}

interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

function wordProgress({ progress, total, message }: Progress): string {
  const share = total === undefined ? String(progress) : `${progress}/${total}`
  return message ? `${share} ${message}` : share
}
