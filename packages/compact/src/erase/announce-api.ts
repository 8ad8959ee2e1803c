import type { Handler, Json } from '@nacre/core'
import type { Parts } from '../parts.js'
import { goesByApi } from './goes-by-api.js'

const BETA = 'context-management-2025-06-27'

/** Betas stay as the first request sends them, so the one that clearing needs is there before anything is cleared. */
export function announceApi({ flag, model }: Parts): Handler<'PreModelCall'> {
  return ({ value }) => {
    if (!flag('api') || !goesByApi(model)) return undefined
    const { betas = [] } = (value.extra ?? {}) as { readonly betas?: readonly Json[] }
    return { ...value, extra: { ...value.extra, betas: [...new Set([...betas, BETA])] } }
  }
}
