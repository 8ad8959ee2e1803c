/** What two statements are compared by. */
export interface Statement {
  readonly text: string
  /** What it is about, in lower case and without endings: no names, no words that tell of change or of 'not'. */
  readonly topic: ReadonlySet<string>
  /** Numbers, dates, addresses and names: they can not be put otherwise. */
  readonly names: ReadonlySet<string>
  readonly isNegated: boolean
  /** Whether it says itself that something is no longer as it was. */
  readonly isChange: boolean
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' })
const STOP_WORDS = new Set(
  `a an the this that these those and or but of to in on at by for from with as is are was were be been being am it its
  i you he she they we me my your his her their our us them do does did done have has had will would can could should
  must may might so than then too very just also only about into over under up down out when where which who what there
  here user person team please s t m re ve ll d der die das ein eine und oder ist sind ich im in zu mit für von den dem
  le la les un une des et est je de du el los las y es yo que на и в я с 的 了 是 在 和 我 は が を に で と の です ます`
    .split(/\s+/)
    .map(stemOf),
)
const NEGATION =
  /\b(?:no|not|never|none|nothing|nobody|without|avoid|stop|instead|hate|dislike|cannot)\b|n['’]t\b|\b(?:nicht|kein(?:e[nmrs]?)?|nie|niemals|ohne|pas|jamais|sans|nunca|sin)\b|(?<!\p{L})(?:не|нет|никогда|без)(?!\p{L})|[不没別别]|ない|ません/iu
const CHANGE =
  /\b(?:now|no longer|any ?more|instead|switch(?:ed|ing)?|changed?|moved|migrated|renamed|replaced|postponed|from now on|as of|used to|ab jetzt|ab sofort|inzwischen|nicht mehr|désormais|dorénavant|ne plus|ahora|ya no)\b|(?<!\p{L})(?:теперь|больше не|перенес\p{L}+)(?!\p{L})|(?:改为|改成|不再|現在は|になった|変更)/iu
const CHANGE_WORDS = new Set(
  `now no not never longer anymore any more instead switch switched switching change changed move moved migrate migrated
  rename renamed replace replaced postpone postponed use used avoid stop without don doesn won isn aren can cannot teraz
  jetzt inzwischen nicht kein keine désormais pas jamais ahora nunca теперь не никогда`
    .split(/\s+/)
    .map(stemOf),
)
const NAME =
  /https?:\/\/[^\s)>\]]+|[\w.+-]+@[\w-]+\.[\w.]+|(?:[\w@.-]+\/)+[\w.-]+|#[a-z][\w-]+|(?<![\p{L}\p{N}])[\p{L}_.-]*\p{N}[\p{L}\p{N}_.:-]*|\b[A-Z][A-Z0-9_]+\b|(?<=[\p{Ll},;:] )\p{Lu}\p{L}+/gu

/** A statement, made ready to be compared. */
export function toStatement(text: string): Statement {
  const names = new Set([...text.matchAll(NAME)].map(([name]) => name.toLowerCase().replace(/[.,:;-]+$/, '')))
  const nameParts = new Set([...names].flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).map(stemOf))
  const stems = wordsOf(text).map(stemOf)
  const topic = stems.filter((stem) => !STOP_WORDS.has(stem) && !CHANGE_WORDS.has(stem) && !nameParts.has(stem))
  return { text, topic: new Set(topic), names, isNegated: NEGATION.test(text), isChange: CHANGE.test(text) }
}

/** The words of a text, in whatever script it is. */
export function wordsOf(text: string): readonly string[] {
  return [...SEGMENTER.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment.toLowerCase()] : []))
}

/** Endings of English, so that 'prefers' and 'prefer' are one word; others keep theirs. */
function stemOf(word: string): string {
  const plain = word.toLowerCase().replace(/['’]s$/, '')
  return plain.length <= 3 || !/^[a-z]+$/.test(plain) ? plain : plain.replace(/(?:ies|ing|ed|es|s|e)$/, '')
}

/** How much of what either set has is in both, 0 to 1. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((each) => other.has(each)).length
  const all = one.size + other.size - shared
  return all === 0 ? 0 : shared / all
}

/** What one set has and another has not. */
export function missing(from: ReadonlySet<string>, wanted: ReadonlySet<string>): readonly string[] {
  return [...wanted].filter((each) => !from.has(each))
}

/** Words of which only one can be true where all else is the same. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['tabs', 'spaces'],
  ['short', 'long'],
  ['brief', 'detailed'],
  ['light', 'dark'],
  ['before', 'after'],
  ['first', 'last'],
  ['allowed', 'forbidden'],
  ['enabled', 'disabled'],
  ['public', 'private'],
  ['merge', 'rebase'],
]

/** From here on two statements are about the same thing. */
const SAME_TOPIC = 0.5

/** Whether two statements can not both be true, as far as words tell: one topic, and another number, name or 'not'. */
export function contradict(one: Statement, other: Statement): boolean {
  const [own, others] = [missing(other.topic, one.topic), missing(one.topic, other.topic)]
  if (areOpposites(own, others)) return one.isNegated === other.isNegated
  // Where each has a word of its own, as 'staging' and 'production', they are about two things.
  if (own.length > 0 && others.length > 0) return false
  if (overlap(one.topic, other.topic) < SAME_TOPIC) return false
  const [ownNames, otherNames] = [missing(other.names, one.names), missing(one.names, other.names)]
  if (ownNames.length > 0 && otherNames.length > 0) return true
  // A 'not' that comes with words of its own is about those: 'short answers', and 'short answers without emojis'.
  const isSameButNot = own.length + others.length + ownNames.length + otherNames.length === 0
  return isSameButNot && one.isNegated !== other.isNegated
}

function areOpposites(own: readonly string[], others: readonly string[]): boolean {
  if (own.length !== 1 || others.length !== 1) return false
  return OPPOSITES.some((pair) => {
    const stems = pair.map(stemOf)
    return stems.includes(own[0] as string) && stems.includes(others[0] as string)
  })
}

/** From here on two statements say the same in other words. */
const SAME_WORDS = 0.75

/** Whether two statements say the same, or one of them all of the other. */
export function areAlike(one: Statement, other: Statement): boolean {
  if (one.isNegated !== other.isNegated || contradict(one, other)) return false
  if (one.topic.size + one.names.size === 0) return one.text === other.text
  const mine = new Set([...one.topic, ...one.names])
  const theirs = new Set([...other.topic, ...other.names])
  const isPart = missing(mine, theirs).length === 0 || missing(theirs, mine).length === 0
  return overlap(mine, theirs) >= (isPart ? SAME_TOPIC : SAME_WORDS)
}

const MOMENTARY =
  /\b(?:currently|right now|at the moment|for now|for the moment|in progress|wip|(?:am|is|are|'m|'re) (?:working on|about to|going to|trying to|looking (?:at|for|into)|debugging|stuck)|next step|todo|this (?:session|task|pr|branch|ticket|morning|afternoon)|gerade|im moment|en ce moment|ahora mismo|en este momento)\b|(?<!\p{L})сейчас(?!\p{L})|(?:目前|正在|现在|今のところ|作業中)/iu

/** Whether a text tells of a moment, and will be wrong soon. */
export function isMomentary(text: string): boolean {
  return MOMENTARY.test(text)
}

/** Paths of memory files in a line, as the tool names them. */
const FILE = /(?:\/memories\/)?[\p{L}\p{N}_./-]+\.md\b/u

/** The file and the words of a line that lists a memory, however it is set. */
export function readListedLine(
  line: string,
): { readonly path: string; readonly type: string | undefined; readonly words: string } | undefined {
  const found = FILE.exec(line)
  if (!found) return undefined
  const path = found[0].startsWith('/memories/') ? found[0] : `/memories/${found[0].replace(/^\/+/, '')}`
  const rest = `${line.slice(0, found.index)} ${line.slice(found.index + found[0].length)}`
  const type = /(?<![\p{L}-])(user|feedback|project|reference)(?![\p{L}-])/u.exec(rest)?.[1]
  // The type and the day of the confirmation stand before the words; the same in many lines, they would make all alike.
  const words = rest
    .replace(/^[\s\-*[\](),:;|·—–]*/u, '')
    .replace(/^(?:user|feedback|project|reference)\b[\s\-*[\](),:;|·—–]*/u, '')
    .replace(/(?:confirmed )?\d{4}-\d{2}-\d{2}[\s[\](),:;|·—–]*/u, (day, at: number) => (at < 24 ? '' : day))
    .trim()
  return { path, type, words }
}

/** The lines inside of a tag of a prompt. */
export function linesOf(text: string, tag: string): readonly string[] {
  const inside = new RegExp(`<${tag}>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1] ?? ''
  return inside.split('\n').filter((line) => line.trim() !== '')
}
