import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import {
  type Edit,
  estimateText,
  type Receipt,
  type Replace,
  resolveModel,
  type Session,
  type SessionEvent,
  type ToolCall,
} from '@nacre/core'
import { count, money, percent } from '../outcome/figures.js'
import type { Firing, Layer } from '../outcome/outcome.js'
import { MODEL } from './open-session.js'

export interface Watcher {
  /** The folder of the shop: what is told of its files names them from there. */
  readonly project: string
  /** What the conversation has sent so far. */
  requests(): number
  called(call: ToolCall): void
  fired(firing: Firing): void
}

type Seen = Pick<Firing, 'layer' | 'text'> & Partial<Firing>

/** Tells of the calls in a session and of everything that the layers do there, in the order in which it happens. */
export function watchLayers(session: Session, { project, requests, called, fired }: Watcher): void {
  let summaryFromCache = 0
  session.events.on('event', (event) => {
    if (event.type === 'tool-start') called(event.call)
    if (event.type === 'usage' && event.source === 'compact') summaryFromCache = fromCache(event.usage)
    const seen = firingOf(event, project)
    if (!seen) return
    const asked = seen.layer === 'full' && { fromCache: summaryFromCache }
    fired({ freed: 0, dollars: 0, callsAvoided: 0, ...seen, ...asked, request: requests() })
  })
}

function firingOf(event: SessionEvent, project: string): Seen | undefined {
  if (event.type === 'edit') return ofEdit(event.edit, project)
  if (event.type === 'usage' && event.source === 'session_memory') return ofNotes(event.usage)
  if (event.type === 'tool-end' && event.call.name === 'Recall' && !event.result.isError) {
    return { layer: 'recalled', text: 'found in the log: what the model no longer sees, word for word' }
  }
  return undefined
}

type Usage = Extract<SessionEvent, { readonly type: 'usage' }>['usage']

function fromCache({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return cacheRead / Math.max(1, input + cacheRead + cacheWrite5m + cacheWrite1h)
}

function ofNotes(usage: Usage): Seen {
  const share = fromCache(usage)
  const text = `brought up to date beside the work: ${money(usage.dollars)}, ${percent(share)} of the input from the cache`
  return { layer: 'noted', dollars: usage.dollars, fromCache: share, text }
}

function ofEdit(edit: Edit, project: string): Seen | undefined {
  const { changes, owner, price, receipt } = edit
  if (receipt) return ofReceipt(receipt, project)
  if (changes.some(({ kind }) => kind === 'revert'))
    return { layer: 'undone', freed: price.freed, text: 'the compaction is taken back' }
  const replaced = changes.filter((change) => change.kind === 'replace')
  if (replaced.length === 0) return undefined
  return owner === 'tool-result-storage' ? storedResult(replaced) : ofClearing(edit, replaced.length)
}

/** What a result would have had in tokens of the model. */
function tokensOf(estimate: number): number {
  return estimate * resolveModel(MODEL).tokenFactor
}

function ofClearing({ price }: Edit, results: number): Seen {
  const { freed } = price
  return {
    layer: 'cleared',
    freed,
    dollars: price.dollars,
    text: `${results} old results become a line each: about ${count(freed)} tokens less, no model call, ${money(price.dollars)} to write the cache again`,
  }
}

const RUNGS: Readonly<Partial<Record<Receipt['rung'], Layer>>> = { notes: 'free', summary: 'full', digest: 'digest' }

function ofReceipt(receipt: Receipt, project: string): Seen | undefined {
  const layer = RUNGS[receipt.rung]
  if (!layer) return undefined
  const { before, after } = receipt.tokens
  const { spent, rewrite } = receipt.dollars
  const restored = receipt.restored.map((each) => ({ ...each, what: each.what.replace(project + sep, '') }))
  return {
    layer,
    freed: before - after,
    dollars: spent + rewrite,
    callsAvoided: layer === 'full' ? 0 : 1,
    receipt: { ...receipt, restored },
    text: foldText(receipt),
  }
}

/** What became of a result that was put away: what it would have taken, and what its preview takes. */
function storedResult([replace]: readonly Replace[]): Pick<Firing, 'layer' | 'freed' | 'text'> | undefined {
  const preview = textIn(replace)
  const [, path] = /The whole is in the file (.+)/.exec(preview) ?? []
  if (!path) return undefined
  const whole = readFileSync(path, 'utf8')
  const freed = tokensOf(estimateText(whole) - estimateText(preview))
  const text = `a result of ${count(whole.length)} characters goes into a file, and a preview of ${count(preview.length)} stays in view: about ${count(freed)} tokens less in every request from here on`
  return { layer: 'stored', freed, text }
}

function textIn(replace: Replace | undefined): string {
  const content = (replace?.content[0]?.content ?? []) as readonly { readonly text?: string }[]
  return content.map(({ text = '' }) => text).join('')
}

const STANDS: Readonly<Partial<Record<Receipt['rung'], string>>> = {
  notes: 'the notes stand',
  summary: 'a summary by the model stands',
  digest: 'an extract made without a model stands',
}

/** What a fold did, for somebody who has never seen one. */
function foldText({ rung, tokens, messages, restored, dollars, checks }: Receipt): string {
  const call = dollars.spent > 0 ? `${money(dollars.spent)} for the model` : 'no model call'
  const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `; not met: ${name} (${detail})`)
  return `${count(tokens.before)} → ${count(tokens.after)} tokens: ${STANDS[rung]} for ${count(messages.folded)} messages, ${count(restored.length)} items are put back; ${call}, ${money(dollars.rewrite)} to write the cache again${failed.join('')}`
}
