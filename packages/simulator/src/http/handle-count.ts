import { readPrompt } from '../answer/read-prompt.js'
import { BETA } from '../validate/betas.js'
import { checkRequest } from '../validate/check-request.js'
import { readRequest } from '../validate/read-request.js'
import type { Json } from '../wire.js'
import { accountHeaders, accountOf, type Call, dialectOf } from './call.js'
import { readBody } from './read-body.js'
import { sendJson } from './respond.js'
import type { SimulatorParts } from './simulator-parts.js'

/** `POST /v1/messages/count_tokens`: the same checks, no model, no bill. */
export async function handleCount(call: Call, parts: SimulatorParts): Promise<void> {
  const account = accountOf(call.request, parts.accounts, parts.account)
  const source = await readBody(call.request)
  const dialect = dialectOf(call.request, 'count_tokens', parts.cacheEdits)
  const { table, seals } = parts.backend
  const request = checkRequest(readRequest(source, dialect), { dialect, account, find: table.find, seals })
  const { prompt, originalTokens } = readPrompt(request, parts.backend)
  const edits = request.body.context_management ? { original_input_tokens: originalTokens } : null
  const isBeta = edits !== null || dialect.betas.has(BETA.tokenCounting)
  const body: Json = { input_tokens: prompt.tokens, ...(isBeta && { context_management: edits }) }
  sendJson(call.response, 200, body, accountHeaders(call.requestId, account))
}
