import type { Block } from '@nacre/core'
import { renderMarkdown } from '../markdown/render-markdown.js'
import { splitFinished } from '../markdown/split-finished.js'
import type { ScreenStore } from '../state/screen-store.js'
import { type Line, span } from '../text/span.js'
import { paced } from './paced.js'

/** Shows an answer while it comes: what is finished is printed at once, only its end is painted anew. */
export interface AnswerShower {
  add(index: number, piece: string): void
  /** The whole answer is there: prints what was not printed yet. */
  finish(content: readonly Block[]): void
  /** What came so far will not go on. */
  forget(): void
}

export function answerShower(store: ScreenStore, width: () => number): AnswerShower {
  let at = -1
  let text = ''
  /** How much of the text has been printed. */
  let printed = 0
  const paint = paced(() => {
    const { finished, rest } = splitFinished(text.slice(printed))
    if (finished !== '') {
      print(finished)
      printed += finished.length
    }
    store.live({ answer: rest.trim() === '' ? [] : answerLines(rest, width(), printed === 0) })
  })
  const print = (part: string) => {
    if (part.trim() === '') return
    const lines = answerLines(part, width(), printed === 0)
    store.print([[], ...lines])
  }
  const begin = (index: number) => {
    at = index
    text = ''
    printed = 0
  }
  const settle = () => {
    paint.stop()
    if (at >= 0) print(text.slice(printed))
    store.live({ answer: [] })
    begin(-1)
  }
  return {
    add(index, piece) {
      if (index !== at) {
        settle()
        begin(index)
      }
      text += piece.replace(/\r\n?/g, '\n')
      paint.soon()
    },
    finish(content) {
      const wasStreamed = at >= 0
      settle()
      if (wasStreamed) return
      for (const block of content) {
        if (block.type === 'text' && String(block.text).trim() !== '') print(String(block.text))
      }
    },
    forget: settle,
  }
}

function answerLines(text: string, width: number, isFirst: boolean): Line[] {
  return renderMarkdown(text, Math.max(8, width - 3)).map((line, index) => [
    isFirst && index === 0 ? span('● ', 'cyan') : span('  '),
    ...line,
  ])
}
