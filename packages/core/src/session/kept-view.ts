import type { Change, Epoch } from '../log/edit.js'
import type { Entry } from '../log/entry.js'
import { createRenderer, type Rendering, type RenderRules } from '../request/renderer.js'
import { createProjection, type Projection } from '../view/projection.js'

/** A view and its rendering, kept up entry by entry. */
export interface KeptView {
  projection(): Projection
  /** Another one for each entry that came in, and whenever all is rendered anew. */
  version(): number
  rendering(): Rendering
  epoch(): Epoch
  take(entry: Entry): void
  reload(entries: readonly Entry[]): void
  refresh(): void
  /** Another version of the same view. */
  touch(): void
}

export function createKeptView(rules: RenderRules, first: Epoch): KeptView {
  let projection = createProjection()
  let renderer = createRenderer(rules)
  let version = 0
  let dirty = 0
  let epoch = first
  let rendered: { readonly version: number; readonly rendering: Rendering } | undefined

  const take = (entry: Entry) => {
    version += 1
    dirty = Math.min(dirty, projection.append(entry))
    if (entry.kind === 'edit' && entry.changes.some(movesEpoch)) epoch = epochInForce(projection, first)
  }
  const refresh = () => {
    dirty = 0
    version += 1
  }
  return {
    projection: () => projection,
    version: () => version,
    epoch: () => epoch,
    take,
    refresh,
    touch() {
      version += 1
    },
    rendering() {
      if (rendered?.version === version) return rendered.rendering
      const rendering = renderer.render(projection.segments, projection.waiting, dirty, epoch)
      dirty = projection.segments.length
      rendered = { version, rendering }
      return rendering
    },
    reload(entries) {
      projection = createProjection()
      renderer = createRenderer(rules)
      for (const entry of entries) take(entry)
      refresh()
    },
  }
}

function movesEpoch(change: Change): boolean {
  return change.kind === 'revert' || epochOf(change) !== undefined
}

function epochOf(change: Change): Epoch | undefined {
  return change.kind === 'fold' || change.kind === 'drop' ? change.epoch : undefined
}

/** The system and tool bytes of the last fold or clear in force that brought some. */
function epochInForce({ timeline, alive }: Projection, first: Epoch): Epoch {
  for (const { entry } of timeline.edits.toReversed()) {
    if (!alive().has(entry.id)) continue
    const epoch = entry.changes.map(epochOf).find((each) => each !== undefined)
    if (epoch) return epoch
  }
  return first
}
