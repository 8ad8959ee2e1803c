import { estimateText } from '@nacre/core'
import { cutLine } from '../snip/cut-line.js'
import type { Unit } from './units.js'

const SHORT = 160

/** The records of parts as one text within that many tokens: the newest whole, the older in a line, the oldest not at all. */
export function joinRecords(units: readonly Unit[], budget: number): string {
  if (units.length === 1) return units[0]?.text ?? ''
  let left = budget
  const kept = units.toReversed().flatMap(({ text, span }) => {
    const mark = `[from entry ${span.from}] `
    // Records that were joined before begin with it.
    const own = text.startsWith(mark) ? text.slice(mark.length) : text
    const forms = [`${mark}${own}`, `${mark}${cutLine(own, SHORT)}`]
    const form = forms.find((each) => estimateText(each) <= left)
    left -= form === undefined ? left : estimateText(form)
    return form === undefined ? [] : [form]
  })
  const gone = units.length - kept.length
  const head = gone === 0 ? [] : [`[the records of ${gone} earlier parts are left out]`]
  return [...head, ...kept.reverse()].join('\n\n')
}
