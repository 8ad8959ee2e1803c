import type { Receipt, SessionEvent } from '@nacre/core'
import type { Line } from './schema/line-schema.js'
import { OUTPUT_VERSION } from './schema/version.js'

type Told = Exclude<SessionEvent, { readonly type: 'end' }>

/** An event as scripts read it: fields that stay, whatever the session's own events become. The end is in the result. */
export function toLine(event: Told): Line {
  const version = OUTPUT_VERSION
  const { type } = event
  switch (type) {
    case 'response': {
      const { id, model, content, usage, stop } = event.entry
      return { version, type, id, model, content: [...content], usage: { ...usage }, stop }
    }
    case 'tool-start': {
      const { id, name, input } = event.call
      return { version, type, call: { id, name, input: input as Json } }
    }
    case 'tool-progress':
      return { version, type, call: event.call.id, text: event.text }
    case 'tool-end': {
      const { content, isError = false } = event.result
      return { version, type, call: event.call.id, content: [...content], isError }
    }
    case 'edit': {
      const { id, owner, reason, changes, price } = event.edit
      const { freed, dollars } = price
      return { version, type, id, owner, reason, changes: changes.map(({ kind }) => kind), freed, dollars }
    }
    case 'receipt':
      return { version, type, receipt: toReceipt(event.receipt) }
    case 'relief': {
      const { verdict, reason, pressure, owner, rung } = event.decision
      return { version, type, verdict, reason, pressure, owner, rung }
    }
    case 'cache-break': {
      const { cause, owner, what, tokens, dollars } = event.cacheBreak
      return { version, type, cause, owner, what, tokens, dollars }
    }
    case 'notice': {
      const { level, owner, text } = event.notice
      return { version, type, notice: { level, owner, text } }
    }
    default:
      return { version, ...event }
  }
}

type Json = Extract<Line, { type: 'tool-start' }>['call']['input']

/** Only the fields of the schema: a receipt may learn more. */
export function toReceipt(receipt: Receipt): Extract<Line, { type: 'receipt' }>['receipt'] {
  const { trigger, rung, undo, tokens, messages, dollars, restored, checks } = receipt
  return {
    trigger,
    rung,
    undo,
    tokens: { before: tokens.before, after: tokens.after },
    messages: { folded: messages.folded, kept: messages.kept, dropped: messages.dropped },
    dollars: { spent: dollars.spent, rewrite: dollars.rewrite },
    restored: restored.map(({ what, status, owner, tokens: size }) => ({ what, status, owner, tokens: size })),
    checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
  }
}
