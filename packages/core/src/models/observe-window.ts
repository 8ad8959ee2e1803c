import type { ResolvedModel } from './resolve-model.js'

/** The model with the window that the server named when it refused a prompt: what it says beats every table. */
export function observeWindow(model: ResolvedModel, limit: number): ResolvedModel {
  if (!Number.isInteger(limit) || limit <= 0 || limit === model.window) return model
  return { ...model, window: limit, windowOrigin: { provenance: 'observed', source: 'the server' } }
}
