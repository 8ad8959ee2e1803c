import { estimateText } from '@nacre/core'
import type { Answer } from './answer.js'
import type { DigestMaterial } from './digest-material.js'
import { HEAD, HEADINGS, MEANING } from './digest-words.js'
import { cutMiddle, fitLast } from './fit.js'
import { harmless } from './one-line.js'

type Section = keyof typeof HEADINGS | 'answers' | 'earlier'

/** Who gets room first, and the part of it; what one leaves over goes to the next. */
const SHARES: readonly (readonly [Section, number])[] = [
  ['todos', 0.1],
  ['written', 0.2],
  ['commands', 0.2],
  ['answers', 0.2],
  ['earlier', 0.2],
  ['read', 0.05],
  ['others', 0.05],
]
const LEDGER = ['written', 'read', 'commands', 'others', 'todos'] as const
/** An answer may take this part of the room for answers before it is cut. */
const ANSWER_SHARE = 0.6

/** A digest in words, in about so many estimated tokens at most. */
export function wordDigest(material: DigestMaterial, budget: number): string {
  const words = new Map<Section, string>()
  let left = budget - estimateText(`${HEAD}\n${MEANING}`)
  let due = 0
  for (const [section, share] of SHARES) {
    due += share * budget
    const room = Math.min(left, due)
    const text = room > 0 ? sectionText(section, material, room) : ''
    const spent = estimateText(text)
    left -= spent
    due = Math.max(0, due - spent)
    if (text !== '') words.set(section, text)
  }
  const ledger = LEDGER.flatMap((section) => words.get(section) ?? [])
  return [
    HEAD,
    MEANING,
    ...(ledger.length > 0 ? ['<work_ledger>', ...ledger, '</work_ledger>'] : []),
    ...['answers', 'earlier'].flatMap((section) => words.get(section as Section) ?? []),
  ].join('\n')
}

function sectionText(section: Section, { ledger, todos, answers, earlier }: DigestMaterial, room: number): string {
  if (section === 'answers') return answersText(answers, room)
  if (section === 'earlier') return framed('earlier', cutMiddle(harmless(earlier.join('\n\n')), room - 10))
  return listText(HEADINGS[section], section === 'todos' ? todos : (ledger.get(section) ?? []), room)
}

function listText(heading: string, items: readonly string[], room: number): string {
  const lines = items.map((item) => `- ${item}`)
  const kept = fitLast(lines, room - estimateText(heading) - 20)
  if (kept.length === 0) return ''
  const leftOut = lines.length - kept.length
  return [heading, ...(leftOut > 0 ? [`(${leftOut} more before these)`] : []), ...kept].join('\n')
}

function answersText(answers: readonly Answer[], room: number): string {
  const texts = answers.map(({ entry, text }) => {
    const shown = cutMiddle(harmless(text), room * ANSWER_SHARE)
    return shown === '' ? '' : `<assistant_text entry="${entry}">\n${shown}\n</assistant_text>`
  })
  return framed(
    'last_answers',
    fitLast(
      texts.filter((text) => text !== ''),
      room - 10,
    ).join('\n'),
  )
}

function framed(name: string, text: string): string {
  return text === '' ? '' : `<${name}>\n${text}\n</${name}>`
}
