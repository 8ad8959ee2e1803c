import type { Block } from '@nacre/core'
import type { Answer } from './answer.js'
import { HEAD, HEADINGS } from './digest-words.js'
import { WORK_KINDS, type WorkKind } from './done-work.js'
import type { WorkLedger } from './work-ledger.js'

/** What a fold before this one has kept. */
export interface EarlierFold {
  /** Only where it was a digest. */
  readonly ledger?: WorkLedger
  readonly answers: readonly Answer[]
  readonly earlier: readonly string[]
}

const ANSWER = /<assistant_text entry="([^"\n]*)">\n([\s\S]*?)\n<\/assistant_text>/g
const EARLIER = /^<earlier>\n([\s\S]*?)\n<\/earlier>$/m
/** What every fold adds by itself, whoever folds: quoted messages, and the index of exact names. */
const ADDED =
  /^(?:What the user said in that part|Exact names of that part)\b[^\n]*:\n(?:<user_message entry="|\[[^\]\n]+\] )/

/** Takes a fold apart. A digest of digests is one digest: ledgers go on, and only the words of others are quoted. */
export function readDigest(content: readonly Block[]): EarlierFold {
  const texts = content.flatMap(textsOf).filter((text) => !ADDED.test(text))
  const own = texts.find((text) => text.startsWith(HEAD))
  if (own === undefined) {
    // The first of several introduces the others.
    const said = content.length > 1 && content[0]?.type === 'text' ? texts.slice(1) : texts
    return { answers: [], earlier: said.filter((text) => text.trim() !== '') }
  }
  const answers = [...own.matchAll(ANSWER)].map(([, entry = '', text = '']) => ({ entry, text }))
  const earlier = EARLIER.exec(own)?.[1]
  return { ledger: readLedger(own), answers, earlier: earlier === undefined ? [] : [earlier] }
}

function textsOf({ type, text, content }: Block): string[] {
  if (type === 'text') return [String(text)]
  return type === 'compaction' && typeof content === 'string' ? [content] : []
}

function readLedger(text: string): WorkLedger {
  const ledger = new Map<WorkKind, string[]>()
  let lines: string[] | undefined
  for (const line of text.split('\n')) {
    if (line === '</work_ledger>') break
    const kind = WORK_KINDS.find((each) => line === HEADINGS[each])
    if (kind) {
      lines = []
      ledger.set(kind, lines)
    } else if (line.startsWith('- ')) lines?.push(line.slice(2))
    else if (!line.startsWith('(')) lines = undefined
  }
  return ledger
}
