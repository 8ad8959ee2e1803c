import { ApiError, invalid } from '../api-error.js'
import type { Fault } from '../faults.js'
import { isRecord } from '../validate/shape.js'
import type { Json } from '../wire.js'
import type { Call } from './call.js'
import { readBody } from './read-body.js'
import { sendJson } from './respond.js'
import type { SimulatorParts } from './simulator-parts.js'

/**
 * What tests in other languages need and the API does not have:
 * `GET /simulator/ledger`, `POST /simulator/clock {"advance":ms}`, `POST /simulator/faults {…}`, `DELETE /simulator/faults`.
 */
export async function handleControl(call: Call, path: string, parts: SimulatorParts): Promise<void> {
  const body = await control(`${call.request.method} ${path}`, call, parts)
  sendJson(call.response, 200, body, ['request-id', call.requestId])
}

async function control(route: string, call: Call, { ledger, backend, faults }: SimulatorParts): Promise<Json> {
  switch (route) {
    case 'GET /simulator/ledger': {
      const bySource = Object.fromEntries(ledger.sources().map((source) => [source, ledger.totals(source)]))
      return { total: ledger.totals(), sources: bySource } as unknown as Json
    }
    case 'POST /simulator/clock': {
      const { advance } = await readObject(call)
      if (typeof advance !== 'number') throw invalid('advance: Input should be a number of milliseconds')
      backend.clock.advance(advance)
      return { now: backend.clock.now() }
    }
    case 'POST /simulator/faults':
      faults.add((await readObject(call)) as unknown as Fault)
      return {}
    case 'DELETE /simulator/faults':
      faults.clear()
      return {}
  }
  throw new ApiError(404, 'not_found_error', `There is no ${route}.`)
}

async function readObject(call: Call): Promise<Record<string, unknown>> {
  const body = parse((await readBody(call.request)) || '{}')
  if (!isRecord(body)) throw invalid('The request body should be an object')
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${(error as Error).message}`)
  }
}
