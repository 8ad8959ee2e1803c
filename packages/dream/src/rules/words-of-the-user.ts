import { sentencesOf } from '../memory/statement.js'

/** A place in a message: the words that a memory rests on. */
export interface Place {
  readonly start: number
  readonly end: number
}

const PLAY =
  /\b(?:just kidding|kidding|joking|jk|j\/k|lol|lmao|haha+|hehe+|rofl|\/s)\b|[😂🤣😜😉🙃]|\b(?:nur spaß|scherz|je plaisante|es broma|brincadeira|scherzo)\b|(?:笑|冗談|开玩笑|玩笑|ㅋㅋ)/iu
const FICTION =
  /\b(?:pretend|imagine|role[- ]?play|let'?s play|act as|acting as|you are now|in (?:this|the|my) (?:story|novel|game|scene|play)|in character|hypothetical(?:ly)?|suppose|what if|for example|e\.g\.|say,? (?:i|we) (?:were|was|had)|as if i|if i were|stell dir vor|angenommen|imaginons|imagina)\b|(?:假设|假如|想像|ロールプレイ)/iu
const OTHERS =
  /(?:\b(?:he|she|they|it|someone|somebody|everyone|\p{Lu}\p{L}+|my (?:boss|manager|colleague|coworker|friend|wife|husband|partner|client|customer|lead|cto|ceo|teammate)|our (?:client|customer|lead|manager)|the (?:client|customer|docs?|article|page|email|mail|ticket|issue|readme|book|author|reviewer|previous dev(?:eloper)?))\b[^.!?\n]{0,40}\b(?:says?|said|writes?|wrote|claims?|claimed|thinks?|thought|tells?|told|insists?|insisted|asks?|asked|suggests?|suggested|argues?|believes?)|\baccording to\b)[^.!?\n]*$/iu
const SELF = /\b(?:i|we)\b[^.!?\n]{0,15}\b(?:say|said|think|thought|ask|asked|suggest|tell|told|insist|believe)/iu
const CORRECTED =
  /\b(?:no[,.]? wait|wait[,.]? no|scratch that|strike that|i mean[t]?\b|correction|let me correct|i take (?:that|it) back|forget (?:that|what i (?:just )?said)|ignore (?:that|what i (?:just )?said)|never ?mind|i was wrong|that was wrong|i misspoke|actually,? no|no,? actually|not true(?: anymore)?|on second thought|sorry,? i meant)\b|\b(?:nein,? (?:halt|moment)|quatsch|vergiss das|non,? attends|no,? espera|mejor dicho)\b/iu

/**
 * Why words in a message of the user are not what the user says of themselves: quoted, played, asked, corrected.
 * `undefined` where nothing speaks against it. `later`: the next message of the user.
 */
export function notTheirOwn(text: string, { start, end }: Place, later: string | undefined): string | undefined {
  if (isInsideQuotation(text, start, end)) return 'the words stand inside a quotation, code or pasted text'
  const sentences = sentencesOf(text)
  const first = sentences.findLastIndex((each) => each.start <= start)
  const last = sentences.findLastIndex((each) => each.start < end)
  const own = sentences.slice(Math.max(0, first), last + 1)
  const around = sentences.slice(Math.max(0, first - 1), last + 2)
  const joined = around.map((each) => each.text).join(' ')
  if (PLAY.test(joined)) return 'it was said as a joke'
  if (FICTION.test(joined) || FICTION.test(sentences[0]?.text ?? '')) return 'it was said in a role, a story or a hypothesis'
  if (own.length > 0 && own.every((each) => /[?？]["'”)]*$/.test(each.text))) return 'it was asked, not said'
  const before = text.slice(own[0]?.start ?? 0, start)
  const reported = OTHERS.test(before) || OTHERS.test(headOf(own[0]?.text ?? '', text.slice(start, end)))
  if (reported && !SELF.test(before)) return 'the words are those of somebody else'
  const behind = text.slice(end, end + 240)
  const within = text.slice(start, end)
  if (CORRECTED.test(behind) || (CORRECTED.test(within) && !endsCorrected(within))) {
    return 'the user corrected it in the same breath'
  }
  if (later !== undefined && CORRECTED.test(later.slice(0, 120))) return 'the user took it back in the next message'
  return undefined
}

/** What stands before the quote where the quote begins in the middle of its sentence. */
function headOf(sentence: string, quote: string): string {
  const at = sentence.indexOf(quote.slice(0, 20))
  return at > 0 ? sentence.slice(0, at) : ''
}

/** A quote that goes on behind its own correction is the corrected word. */
function endsCorrected(quote: string): boolean {
  const found = CORRECTED.exec(quote)
  return found !== null && quote.length - (found.index + found[0].length) >= 4
}

const PAIRS: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /~~~[\s\S]*?(?:~~~|$)/g,
  /(?<![\p{L}\p{N}])"[^"\n]{8,}"/gu,
  /“[^”]{8,}”/g,
  /„[^“”]{8,}[“”]/g,
  /«[^»]{8,}»/g,
  /「[^」]{4,}」/g,
  /(?<=^|[\s(])'[^'\n]{12,}'(?=[\s).,;!?]|$)/gm,
  /<(\w[\w-]*)\b[^>]*>[\s\S]*?<\/\1>/g,
  /(?:^[ \t]*>.*(?:\n|$))+/gm,
  /^(?:From|Von|De|Subject|Betreff|Sent|To|Date): .*\n(?:.*(?:\n|$))*/gm,
  /^-{3,} ?(?:Forwarded|Original) message[\s\S]*/gim,
]

/** Whether a place lies inside of something that the user has quoted or pasted. */
function isInsideQuotation(text: string, start: number, end: number): boolean {
  return PAIRS.some((pair) =>
    [...text.matchAll(pair)].some(({ index, 0: found }) => index <= start && end <= index + found.length),
  )
}
