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
  const text = `a result of ${count(whole.length)} characters goes into a file, and a preview of ${count(preview.length)} stays in view: about ${count(freed)} tokens less in every request from here on`
  return { layer: 'stored', freed, text }
}

function textIn(replace: Replace | undefined): string {
  const content = (replace?.content[0]?.content ?? []) as readonly { readonly text?: string }[]
  return content.map(({ text = '' }) => text).join('')
}
