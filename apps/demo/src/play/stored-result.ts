import { readFileSync } from 'node:fs'
import { estimateText, type Replace, resolveModel } from '@nacre/core'
import { count } from '../tell/figures.js'
import { MODEL } from './open-session.js'
import type { Firing } from './told.js'

/** What became of a result that was put away: what it would have taken, and what its preview takes. */
export function storedResult([replace]: readonly Replace[]): Pick<Firing, 'layer' | 'freed' | 'text'> | undefined {
  const preview = textIn(replace)
  const [, path] = /The whole is in the file (.+)/.exec(preview) ?? []
  if (!path) return undefined
  const whole = readFileSync(path, 'utf8')
  const { tokenFactor } = resolveModel(MODEL)
  const freed = (estimateText(whole) - estimateText(preview)) * tokenFactor
  const text = `${count(whole.length)} characters are in a file, and ${count(preview.length)} of them in view for good: about ${count(freed)} tokens that no request carries`
  return { layer: 'stored', freed, text }
}

function textIn(replace: Replace | undefined): string {
  const content = (replace?.content[0]?.content ?? []) as readonly { readonly text?: string }[]
  return content.map(({ text = '' }) => text).join('')
}
