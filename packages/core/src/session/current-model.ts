import { NacreError, shown } from '../errors.js'
import type { ResolvedModel } from '../models/resolve-model.js'
import type { RenderRules } from '../request/renderer.js'
import { estimateBlock } from '../tokens/estimate.js'
import { type Thresholds, thresholds } from '../tokens/thresholds.js'
import type { Model, ModelInfo } from '../types/model.js'

/** The model that a session works with at the moment, and what follows from it. */
export interface CurrentModel {
  /** Read at each rendering. */
  readonly rules: RenderRules
  model(): Model
  /** Sizes for a model; for the one in the currentModel unless told. */
  thresholds(info?: ModelInfo): Thresholds
  set(model: Model): void
  /** Sizes are those of a model that is to come, until there is none to come. */
  aimFor(info: ModelInfo | undefined): void
  /** Renders for another model; `true` when that changes the bytes. */
  renderFor(info: ModelInfo): boolean
  /** The server has named another window than the table has. */
  observe(limit: number): void
}

interface CurrentModelOptions {
  readonly contextBudget?: number | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Whether the view is compacted by itself; asked at each use. It is unless told. */
  autoCompact?(): boolean
}

export function createCurrentModel(first: Model, given: CurrentModelOptions): CurrentModel {
  const { contextBudget, environment } = given
  let model = first
  let rendered: ModelInfo = first.info
  let aim: ModelInfo | undefined
  let known: { readonly info: ModelInfo; readonly window: number; readonly sizes: Thresholds } | undefined
  const windows = new Map<string, number>()
  const options = { ...(contextBudget !== undefined && { contextBudget }), ...(environment && { environment }) }
  const rules: RenderRules = {
    get isBound() {
      return rendered.thinking === 'bound'
    },
    get hasSystemRole() {
      return rendered.can.has('system-messages')
    },
    get hasToolChanges() {
      return rendered.can.has('tool-changes')
    },
    get erasing() {
      if (rendered.can.has('cache-edits')) return 'deleted'
      return rendered.can.has('context-management') ? 'named' : undefined
    },
    reads: (author) => author === rendered.id || rendered.kin?.(author).isRead === true,
    estimate: estimateBlock,
  }
  return {
    rules,
    model: () => model,
    thresholds(info = aim ?? model.info) {
      const window = windows.get(info.id) ?? info.window
      const autoCompact = given.autoCompact?.() ?? true
      if (known?.info !== info || known.window !== window || known.sizes.autoCompact !== autoCompact) {
        known = { info, window, sizes: thresholds({ ...info, window }, { ...options, autoCompact }) }
      }
      return known.sizes
    },
    set(next) {
      model = next
    },
    aimFor(info) {
      aim = info
    },
    renderFor(info) {
      const hasChanged = info.id !== rendered.id
      rendered = info
      return hasChanged
    },
    observe(limit) {
      windows.set(model.info.id, limit)
    },
  }
}

/** Tokens for each token of the estimate; 1 where nothing is known. */
export function tokenFactor(info: ModelInfo): number {
  return (info as Partial<ResolvedModel>).tokenFactor ?? 1
}

/** Throws where no model was given, or something that is none. `what`: what it was meant to be. */
export function mustBeModel(what: string, given: unknown): void {
  const { info, stream } = Object(given) as { readonly info?: unknown; readonly stream?: unknown }
  if (Object(info) === info && typeof stream === 'function') return
  const message = `${what} is ${shown(given)}: give an object with 'info' and 'stream', as anthropicModel() of @nacre/core/anthropic makes one.`
  throw new NacreError('INVALID_REQUEST', message)
}
