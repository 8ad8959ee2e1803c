import { sentencesOf } from '../memory/statement.js'

const OTHERS_ELSEWHERE =
  /(?<!(?:^|[\s,])(?:ich|je|j['’]ai|yo|eu|io|я|我|私は|僕は)\s*)(?<!\p{L})(?:sagte?|meinte?|schreibt|schrieb|behauptet|dit|a dit|écrit|prétend|dice|dijo|escribió|escribe|disse|diz|scrive|сказала?|говорит|написала?|пишет|считает|утверждает)(?!\p{L})[^.!?\n]*$|(?<!我)(?:说|說|写道|認為|认为)[^。！？\n]*$|(?:によると|と言(?:って|った|う|われ))/iu
const FICTION_BEGINS =
  /\b(?:let'?s (?:play|pretend)|pretend (?:that |to )?(?:you|i|we)|role[- ]?play|simulate a|practi[cs]e with me|rehearse|you play (?:my|the|a)|i(?:'ll| will) be (?:an?|the|your)|you are now|act as|in (?:this|my|the) (?:story|game|scene|novel|book|play|screenplay)|we are in a (?:story|game|play)|write a (?:story|scene|dialogue)|rollenspiel|jeu de rôle|juego de rol)\b|(?:ロールプレイ|角色扮演)/iu
const FICTION_ENDS =
  /\b(?:stop (?:the )?(?:game|play(?:ing)?|role[- ]?play|pretending)|end of (?:the )?(?:game|story|role[- ]?play|scene)|game over|back to (?:work|reality|the code|business)|out of character|no more (?:games|role[- ]?play)|enough (?:of that|playing))\b/iu

/** A place in a message: the words that a memory rests on. */
export interface Place {
  readonly start: number
  readonly end: number
}

const PLAY =
  /\b(?:just kidding|kidding|joking|jk|j\/k|lol|lmao|haha+|hehe+|rofl)\b|(?<=^|\s)\/s(?=\W|$)|[😂🤣😜😉🙃🙄😏]|\bwhat could (?:possibly )?go wrong\b|^oh sure\b|\byeah,? right\b|\b(?:nur spaß|scherz|je plaisante|es broma|brincadeira|scherzo)\b|(?:笑|冗談|开玩笑|玩笑|ㅋㅋ)/iu
const FICTION =
  /\b(?:pretend|imagine|role[- ]?play|let'?s play|act as|acting as|you are now|in (?:this|the|my) (?:story|novel|game|scene|play)|in character|hypothetical(?:ly)?|suppose|what if|for example|e\.g\.|say,? (?:i|we) (?:were|was|had)|as if i|if i were|were i\b|had i\b|in an? (?:ideal|perfect) world|would (?:probably|rather|maybe)|personas?|(?:test|sample|dummy) (?:data|text)|placeholder|epigraph|stell dir vor|angenommen|imaginons|imagina)\b|(?:假设|假如|如果|想像|もし|ロールプレイ)|если бы|falls ich/iu
const SAYING =
  '\\b[^.!?\\n]{0,40}\\b(?:saying|telling|asking|insisting|writing|says?|said|writes?|wrote|claims?|claimed|thinks?|thought|tells?|told|insists?|insisted|asks?|asked|suggests?|suggested|argues?|believes?)\\b[^.!?\\n]*$'
const OTHERS = new RegExp(
  `\\b(?:he|she|they|someone|somebody|everyone|my (?:boss|manager|colleague|coworker|friend|wife|husband|partner|client|customer|lead|cto|ceo|teammate)|our (?:client|customer|lead|manager)|the (?:client|customer|docs?|article|page|email|mail|ticket|issue|readme|book|author|reviewer|previous dev(?:eloper)?))${SAYING}|\\b(?:according to|selon|laut|según|secondo|по словам)\\b[^.!?\\n]*$|['’]s (?:rule|advice|motto|policy|habit|opinion|preference|words?) (?:was|is|were|are)\\b[^.!?\\n]*$|\\b(?:saying|proverb|quote|motto|lyrics?|slogan|persona)\\b[^.!?\\n]*:[^.!?\\n]*$`,
  'iu',
)
/** A name, by its capital: not at the beginning of a sentence, where every word has one, unless a verb of saying follows at once. */
const NAMED = new RegExp(
  `(?:(?<=[\\p{Ll},;:] )\\p{Lu}\\p{L}+${SAYING}|^\\p{Lu}\\p{L}+ (?:says|said|writes|wrote|claims|thinks|told|insists|suggests|always says)\\b[^.!?\\n]*$)`,
  'u',
)
const HEDGED =
  /\b(?:might|maybe|perhaps|possibly|not sure (?:yet|if|whether)|i wonder|considering|thinking (?:about|of)|vielleicht|peut-être|quizás|tal vez|может быть)\b|(?:也许|可能|かもしれ)/iu
const ASKED =
  /^(?:and |but |so |hm+,? )?(?:should|shall|do|does|did|can|could|would|will|is|are|am|was|were|may|must|what|why|how|which|where|when|who) (?:i|we|you|he|she|they|it|the|this|that|there|my|our)\b/iu
const SELF = /\b(?:i|we)\b[^.!?\n]{0,15}\b(?:say|said|think|thought|ask|asked|suggest|tell|told|insist|believe)/iu
const CORRECTED =
  /\b(?:no[,.]? wait|wait[,.]? no|scratch that|strike that|i mean[t]?\b|correction|let me correct|i take (?:that|it) back|forget (?:that|what i (?:just )?said)|ignore (?:that|what i (?:just )?said)|never ?mind|i was wrong|that was wrong|i misspoke|actually,? (?:no|use|make|let'?s|do|it'?s)|no,? actually|not true(?: anymore)?|on second thought|sorry,? i meant)\b|\b(?:nein,? (?:halt|moment)|quatsch|vergiss das|non,? attends|no,? espera|mejor dicho)\b/iu

/** The other messages of the user around the one that is quoted. */
export interface Around {
  /** Those before it, oldest first. */
  readonly earlier: readonly string[]
  /** The next one. */
  readonly later?: string | undefined
}

/**
 * Why words in a message of the user are not what the user says of themselves: quoted, played, asked, corrected.
 * `undefined` where nothing speaks against it.
 */
export function notTheirOwn(text: string, place: Place, { earlier, later }: Around): string | undefined {
  const { start, end } = place
  if (isInsideQuotation(text, start, end)) return 'the words stand inside a quotation, code or pasted text'
  const sentences = sentencesOf(text)
  const first = Math.max(
    0,
    sentences.findLastIndex((each) => each.start <= start),
  )
  const last = sentences.findLastIndex((each) => each.start < end)
  const own = sentences.slice(first, last + 1)
  const joined = (from: number, to: number) =>
    sentences
      .slice(Math.max(0, from), to)
      .map((each) => each.text)
      .join(' ')
  // Who jokes says so afterwards; who makes something up says so before.
  if (PLAY.test(joined(first, last + 2))) return 'it was said as a joke'
  if (
    FICTION.test(joined(first - 1, last + 1)) ||
    FICTION.test(sentences[0]?.text ?? '') ||
    isInFiction([...earlier, text.slice(0, start)])
  ) {
    return 'it was said in a role, a story or a hypothesis'
  }
  if (own.length > 0 && own.every((each) => /[?？]["'”)]*$/.test(each.text) || ASKED.test(each.text))) {
    return 'it was asked, not said'
  }
  if (HEDGED.test(joined(first, last + 1))) return 'it was a thought, not a decision'
  const before = text.slice(own[0]?.start ?? 0, start)
  const head = headOf(own[0]?.text ?? '', text.slice(start, end))
  const isReported = [before, head].some(
    (words) => OTHERS.test(words) || NAMED.test(words) || OTHERS_ELSEWHERE.test(words),
  )
  if (isReported && !SELF.test(before)) return 'the words are those of somebody else'
  return correctionOf(text, place, sentences[last + 1]?.text, later)
}

/** A correction belongs to the sentence that it stands in, or to the one right before it. */
function correctionOf(
  text: string,
  { start, end }: Place,
  next: string | undefined,
  later: string | undefined,
): string | undefined {
  const quote = text.slice(start, end)
  const rest = /[.!?。！？]$/.test(quote) ? '' : (/^[^.!?。！？\n]*/.exec(text.slice(end))?.[0] ?? '')
  const isOwn = CORRECTED.test(quote) && !endsCorrected(quote)
  if (CORRECTED.test(rest) || isOwn || (next !== undefined && isNear(next.search(CORRECTED)))) {
    return 'the user corrected it in the same breath'
  }
  return later !== undefined && takesBack(later) ? 'the user took it back in the next message' : undefined
}

const TAKES_BACK =
  /^(?:(?:oh|ah|hm+|oops|ups|sorry|no|nope|nein|non|wait)[,.!…\s]+)*(?:wait\b|scratch that|strike that|i take (?:that|it) back|forget (?:that\b(?! the)|what i (?:just )?said)|ignore (?:that\b(?! the)|what i (?:just )?said)|never ?mind(?:[.,!]|$| that| what i)|i was wrong|i misspoke|actually,? no\b|on second thought|i meant\b|correction:|let me correct|(?:nein,? )?(?:halt|moment)\b|vergiss das|quatsch\b|non,? attends|no,? espera|mejor dicho)|^.{0,40}\b(?:that|it) was wrong\b|^.{0,25}\b(?:i mistyped|i meant\b(?! to))|^(?:that|it)(?:['’]s| is) not true(?: any ?more)?[.,!]/iu

/** Whether a message begins by taking back what was said in the one before. */
export function takesBack(message: string): boolean {
  return TAKES_BACK.test(message.trim())
}

/** At the beginning of a sentence, behind 'oh' or 'sorry' at most. */
function isNear(place: number): boolean {
  return place >= 0 && place <= 10
}

/** Whether a game or a story has begun in earlier messages and nobody has ended it. */
function isInFiction(earlier: readonly string[]): boolean {
  const begun = earlier.findLastIndex((message) => FICTION_BEGINS.test(message))
  return begun >= 0 && !earlier.slice(begun).some((message) => FICTION_ENDS.test(message))
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

/** A line of a log, a program or a chat, by its beginning. */
const FOREIGN_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d{1,2}:\d{2}|npm (?:WARN|ERR)|(?:INFO|WARN|ERROR|DEBUG)\b|\w+ \d{1,2}:\d{2} ?(?:[AP]M)?\s*$)/i
const OWN_POINT = /^\s*(?:[-*+•]|\d+[.)])\s/

/** Whether a line belongs to something that was put below an announcement, as 'Summarise this:', and is no list of the user's own. */
function isPasted(text: string, start: number): boolean {
  const lines = text.slice(0, start).split('\n')
  const own = `${lines.pop() ?? ''}${text.slice(start).split('\n')[0] ?? ''}`
  if (FOREIGN_LINE.test(own)) return true
  const isAnnounced = lines.some((line) => /[:?？]\s*$/.test(line) && line.trim().length > 3)
  return isAnnounced && !OWN_POINT.test(own)
}

/** Whether a place lies inside of something that the user has quoted or pasted. */
function isInsideQuotation(text: string, start: number, end: number): boolean {
  if (isPasted(text, start)) return true
  return PAIRS.some((pair) =>
    [...text.matchAll(pair)].some(({ index, 0: found }) => index <= start && end <= index + found.length),
  )
}
