import { findModel } from '../models/model-table.js'

/** Names of one model share its cache: with or without a date, a provider or a suffix. */
export function modelKey(name: string): string {
  return findModel(name)?.id ?? name
}
