import { contentStems } from '@nacre/core'

/** Words that tell of a memory itself, not of what it is about: a statement may have them although nobody said them. */
const ABOUT_MEMORIES = new Set(
  contentStems(
    'user person people prefer want like dislike need use ask work expect wish rule fact always never avoid should must project team call name say tell know note remember nutzer benutzer anwender utilisateur utilisatrice usuario usuaria пользователь 用户 ユーザー',
  ),
)

/** The stems of a statement that somebody has to have said. */
function tellingStems(text: string): ReadonlySet<string> {
  return new Set(contentStems(text).filter((stem) => !ABOUT_MEMORIES.has(stem)))
}

/** The share of what a text says that another one says too, 0 to 1; 1 for a text that says nothing. */
export function coverage(text: string, by: string): number {
  const wanted = tellingStems(text)
  if (wanted.size === 0) return 1
  const known = new Set(contentStems(by))
  return [...wanted].filter((stem) => known.has(stem)).length / wanted.size
}

/** How much two texts say the same, 0 to 1. */
export function similarity(one: string, other: string): number {
  const [a, b] = [tellingStems(one), tellingStems(other)]
  if (a.size === 0 || b.size === 0) return flat(one) === flat(other) ? 1 : 0
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared / (a.size + b.size - shared)
}

/** Two texts that differ in space, case and punctuation alone. */
export function isSameText(one: string, other: string): boolean {
  return flat(one) === flat(other)
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const NAMES =
  /`[^`\n]+`|https?:\/\/[^\s)>\]]+|[\w.+-]+@[\w-]+\.[\w.]+|(?:[\w@.-]+\/)+[\w.-]+|(?<![\p{L}\p{N}])[\p{L}_.-]*\p{N}[\p{L}\p{N}_.:-]*|\b[A-Z][A-Z0-9_]+\b|\b\p{Ll}+(?:\p{Lu}\p{Ll}+)+\b|(?<=[\p{Ll},;:] )\p{Lu}\p{L}+/gu

/** Numbers, dates, paths, addresses and names: words that can not be put otherwise. */
export function exactNames(text: string): readonly string[] {
  const found = [...text.matchAll(NAMES)].map(([name]) => name.replace(/^`|`$|[.,:;-]+$/g, ''))
  return [...new Set(found.filter((name) => name.length > 1 || /\p{N}/u.test(name)))]
}

/** The exact names of a text that another one lacks. */
export function missingNames(text: string, from: string): readonly string[] {
  const known = from.toLowerCase()
  return exactNames(text).filter((name) => !known.includes(name.toLowerCase()) && !isAboutMemories(name))
}

function isAboutMemories(name: string): boolean {
  return contentStems(name).every((stem) => ABOUT_MEMORIES.has(stem))
}

const NO =
  /\b(?:no|not|never|none|nothing|nobody|without|avoid|stop|instead|rather than|hate[sd]?|dislike[sd]?|cannot|refuse[sd]?|forbidden|unless)\b|n['’]t\b|\b(?:nicht|kein(?:e[nmrs]?)?|nie|ohne|niemals|statt)\b|\b(?:pas|jamais|sans|aucune?)\b|\b(?:nunca|sin|jamás|tampoco)\b|\b(?:não|sem)\b|\b(?:non|mai|senza)\b|(?<!\p{L})(?:не|нет|никогда|без)(?!\p{L})|[不没無无別别]|ない|ません|않|없/iu

const EACH_NO = new RegExp(NO.source, 'giu')

/** How often a text says 'not', in one way or another. */
export function countNegations(text: string): number {
  return [...text.matchAll(EACH_NO)].length
}

/** The words of a text that tell something, in their order, with each 'not' as a word of its own. */
function tellingOrder(text: string): readonly string[] {
  const marked = text.replace(EACH_NO, ' zzznot ')
  return contentStems(marked).filter((stem) => !ABOUT_MEMORIES.has(stem))
}

/** The share of neighbouring words of a text that stand beside each other in another one too, 0 to 1: the same words in another order say another thing. */
export function sharedOrder(text: string, by: string): number {
  const pairs = pairsOf(tellingOrder(text))
  if (pairs.size === 0) return 1
  const known = pairsOf(tellingOrder(by))
  return [...pairs].filter((pair) => known.has(pair)).length / pairs.size
}

function pairsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`))
}

/** Whether a text says that something is not so. */
export function isNegated(text: string): boolean {
  return NO.test(text)
}

const SENTENCE = /[^.!?。！？\n]+(?:[.!?。！？]+(?=\s|$|[^\s])|\n|$)/gu

/** The sentences of a text, with where each begins. */
export function sentencesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(SENTENCE)].flatMap(({ 0: found, index }) =>
    found.trim() === '' ? [] : [{ text: found.trim(), start: index + found.search(/\S/) }],
  )
}

/** Where words stand in a text, whatever the spaces between them and the kind of their quotation marks. */
export function findQuote(text: string, quote: string): { readonly start: number; readonly end: number } | undefined {
  const parts = plainMarks(quote)
    .split(/\s+/)
    .filter((part) => part !== '')
  if (parts.length === 0) return undefined
  const pattern = new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'iu')
  const found = pattern.exec(plainMarks(text))
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

/** One for one, so that places stay what they are. */
function plainMarks(text: string): string {
  return text
    .replace(/[‘’‚]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
}
