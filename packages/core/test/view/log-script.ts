import { createTimeline, inForce } from '../../src/log/timeline.js'
import { createRenderer, type Erasing, type Rendering, type RenderRules } from '../../src/request/renderer.js'
import type { Block, Change, Edit, Entry, Epoch } from '../../src/types/log.js'
import { checkEdit } from '../../src/view/check-edit.js'
import { layOut } from '../../src/view/layout.js'
import { createProjection } from '../../src/view/projection.js'
import type { PlainMessage } from './oracle.js'

const EPOCH: Epoch = { system: [{ type: 'text', text: 'You are.' }], tools: [{ name: 'read' }] }
const rules = (isBound: boolean, erasing?: Erasing): RenderRules => ({
  isBound,
  erasing,
  hasSystemRole: true,
  reads: () => true,
  estimate: () => 1,
})

/** A step of a generated session. Numbers choose among what there is. */
export type Step =
  | { readonly kind: 'turn'; readonly calls: number; readonly thinks: boolean; readonly notes: number }
  | { readonly kind: 'replace' | 'erase'; readonly choice: number }
  | { readonly kind: 'fold' | 'drop'; readonly from: number; readonly length: number; readonly notes: number }
  | { readonly kind: 'rewind'; readonly from: number }
  | { readonly kind: 'revert'; readonly choice: number }

export interface Session {
  readonly log: readonly Entry[]
  rendering(): Rendering
  step(step: Step): Edit | undefined
}

/** Plays steps on a projection and a renderer that are kept up to date, as a session would. */
export function createScriptedSession(isBound: boolean, erasing?: Erasing): Session {
  const log: Entry[] = []
  const projection = createProjection()
  const renderer = createRenderer(rules(isBound, erasing))
  let from = 0
  const append = (entry: Entry) => {
    log.push(entry)
    from = Math.min(from, projection.append(entry))
  }
  const rendering = () => {
    const result = renderer.render(projection.segments, projection.waiting, from, EPOCH)
    from = projection.segments.length
    return result
  }
  const propose = (changes: readonly Change[]): Edit | undefined => {
    const proposal = { owner: `plugin${log.length % 3}`, reason: 'test', changes }
    if (checkEdit(projection, proposal) !== undefined) return undefined
    const price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }
    const edit: Edit = { kind: 'edit', id: `e${log.length}`, time: 0, ...proposal, price }
    append(edit)
    return edit
  }
  const rounds = () => projection.timeline.rounds
  const span = (first: number, length: number) => {
    const start = rounds()[first % rounds().length]
    const end = rounds()[Math.min(rounds().length - 1, (first % rounds().length) + length)]
    return { from: start?.entries[0]?.id ?? '', to: end?.entries.at(-1)?.id ?? '' }
  }
  const note = (number: number, inside?: { entry: string; block: number }): Change => ({
    kind: 'insert',
    note: {
      text: `note ${log.length} ${number}`,
      trust: number % 2 ? 'runtime' : 'content',
      ...(inside && { inside }),
    },
  })

  return {
    log,
    rendering,
    step(step) {
      switch (step.kind) {
        case 'turn': {
          playTurn(step)
          return undefined
        }
        case 'replace':
          return proposeReplace(step.choice)
        case 'erase':
          return proposeErase(step.choice)
        case 'fold':
        case 'drop': {
          if (rounds().length === 0) return undefined
          const where = span(step.from, step.length)
          const change: Change =
            step.kind === 'fold'
              ? { kind: 'fold', span: where, content: [{ type: 'text', text: `summary ${log.length}` }] }
              : { kind: 'drop', span: where, note: `dropped ${log.length}` }
          return propose([...Array.from({ length: step.notes }, (_, index) => note(index)), change])
        }
        case 'rewind':
          return rounds().length ? propose([{ kind: 'drop', span: span(step.from, rounds().length) }]) : undefined
        case 'revert': {
          const edits = projection.timeline.edits
          const target = edits[step.choice % Math.max(1, edits.length)]
          return target ? propose([{ kind: 'revert', edit: target.entry.id }]) : undefined
        }
      }
    },
  }

  function playTurn({ calls, thinks, notes }: Extract<Step, { kind: 'turn' }>): void {
    const last = log.findLast((entry) => entry.kind === 'assistant')
    const isWaiting = last?.kind === 'assistant' && last.content.some((block) => block.type === 'tool_use')
    const number = log.length
    if (!isWaiting || projection.segments.length === 0 || projection.segments.at(-1)?.span) {
      append({ kind: 'user', id: `e${log.length}`, time: 0, content: [{ type: 'text', text: `prompt ${number}` }] })
    }
    for (let index = 0; index < notes; index++) propose([note(index)])
    const ids = Array.from({ length: calls }, (_, index) => `call${number}x${index}`)
    const content: Block[] = [
      ...(thinks ? [{ type: 'thinking', thinking: `thought ${number}`, signature: 's' }] : []),
      { type: 'text', text: `answer ${number}` },
      ...ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    ]
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }
    const { prefix } = rendering()
    append({
      kind: 'assistant',
      id: `e${log.length}`,
      time: 0,
      content,
      model: 'm',
      messageId: 'x',
      usage,
      stop: 'end_turn',
      prefix,
    })
    for (const id of ids.toReversed()) {
      append({
        kind: 'user',
        id: `e${log.length}`,
        time: 0,
        content: [{ type: 'tool_result', tool_use_id: id, content: `result of ${id}` }],
      })
    }
    const result = log.at(-1)
    if (calls && notes > 1 && result) propose([note(0, { entry: result.id, block: 0 })])
  }

  function proposeErase(choice: number): Edit | undefined {
    const targets = log.flatMap((entry) =>
      entry.kind === 'user' || entry.kind === 'assistant'
        ? entry.content.flatMap(({ type }, block) => (type === 'text' ? [] : [{ entry: entry.id, block }]))
        : [],
    )
    const first = choice % Math.max(1, targets.length)
    return propose(targets.slice(first, first + 3).map((target) => ({ kind: 'erase', target })))
  }

  function proposeReplace(choice: number): Edit | undefined {
    const targets = log.flatMap((entry) =>
      entry.kind === 'user' || entry.kind === 'assistant'
        ? entry.content.map((block, index) => ({ entry, block, index }))
        : [],
    )
    const target = targets[choice % Math.max(1, targets.length)]
    if (!target) return undefined
    const { block } = target
    const content =
      block.type === 'thinking'
        ? []
        : block.type === 'text'
          ? [{ type: 'text', text: `other ${log.length}` }]
          : block.type === 'tool_use'
            ? [{ ...block, input: { short: log.length } }]
            : [{ ...block, content: `cleared ${log.length}` }]
    return propose([{ kind: 'replace', target: { entry: target.entry.id, block: target.index }, content }])
  }
}

/** The same log rendered from scratch. */
export function renderLog(log: readonly Entry[], isBound: boolean, erasing?: Erasing): Rendering {
  const timeline = createTimeline()
  for (const entry of log) timeline.append(entry)
  const { segments, waiting } = layOut(timeline, inForce(timeline.edits.map(({ entry }) => entry)))
  return createRenderer(rules(isBound, erasing)).render(segments, waiting, 0, EPOCH)
}

export function plain(rendering: Rendering): PlainMessage[] {
  return rendering.messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) }))
}
