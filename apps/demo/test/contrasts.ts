/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core'

interface Contrast {
  readonly what: string
  readonly ratio: number
}

export interface Contrasts {
  readonly words: readonly Contrast[]
  readonly marks: readonly Contrast[]
  readonly isDark: boolean
}

/** How much words and the marks of charts stand out from the paper, by the formula of WCAG. */
export function contrasts(page: Page): Promise<Contrasts> {
  return page.evaluate(() => {
    const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => channel(Number(part) / 255))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const paper = luminance(getComputedStyle(document.body).backgroundColor)
    const ratio = (colour: string) => {
      const own = luminance(colour)
      return (Math.max(own, paper) + 0.05) / (Math.min(own, paper) + 0.05)
    }
    const hasWords = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    const words = [...document.querySelectorAll('body *')]
      .filter((element) => !element.closest('script, style') && hasWords(element))
      .map((element) => {
        const { color, fill } = getComputedStyle(element)
        return { what: element.textContent ?? '', ratio: ratio(element.closest('svg') ? fill : color) }
      })
    const marks = [...document.querySelectorAll('svg g[aria-label="line"] path, svg g[aria-label="dot"] circle')].map(
      (element) => {
        const { stroke, fill } = getComputedStyle(element)
        return { what: element.outerHTML.slice(0, 80), ratio: ratio(element.tagName === 'circle' ? fill : stroke) }
      },
    )
    return { words, marks, isDark: paper < 0.5 }
  })
}
