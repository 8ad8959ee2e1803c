import type { Handler, Json } from '@nacre/core'
import type { Parts } from '../parts.js'
import { SERVER_BETA } from './server-beta.js'

/** Sends the header from the first request on: a session keeps the headers that it begins with. */
export function announceServer({ flag }: Parts): Handler<'PreModelCall'> {
  return ({ value }) => {
    if (!flag('server') || !flag('summary')) return undefined
    const known: readonly Json[] = Array.isArray(value.extra?.betas) ? (value.extra.betas as Json[]) : []
    if (known.includes(SERVER_BETA)) return undefined
    return { ...value, extra: { ...value.extra, betas: [...known, SERVER_BETA] } }
  }
}
