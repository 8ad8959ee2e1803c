/**
 * A sentence of a person as others would tell it: 'I' is the user, 'we' is the team, and a day is a date. Its words stay,
 * so that whoever compares it with the log finds them. `undefined` where it names a day and nobody knows which.
 */
export function retell(sentence: string, today: string | undefined): string | undefined {
  const dated = withDates(sentence, today)
  if (dated === undefined) return undefined
  // Other languages bend words in ways that no rule of this size knows; there the sentence stands as it was said.
  const told = ENGLISH.test(dated) ? inThirdPerson(dated) : dated
  return told.charAt(0).toUpperCase() + told.slice(1)
}

const ENGLISH = /^[\p{ASCII}’–—…]*$/u
const PERSON =
  /(?<![\w'’/.-])(I|we|me|us|my|our|mine|ours|myself|ourselves)(?:['’](m|ve|ll|d|re))?(?![\w'’/-])((?: (?:really|strongly|usually|always|never|generally|mostly|mainly|only|much|also|often|now|still|no longer))*)(?: ([a-z]+(?:['’]t)?)(?![\w'’]))?/gi

function inThirdPerson(sentence: string): string {
  const told = new Set<string>()
  return sentence.replace(
    PERSON,
    (found: string, pronoun: string, tail: string | undefined, adverbs: string, verb: string | undefined) => {
      const word = pronoun.toLowerCase()
      // 'Me' and 'my' may be the end of a file name or a title; only the subject is written large.
      if (word === 'i' && pronoun === 'i') return found
      const who = /^(?:i|me|my|mine|myself)$/.test(word) ? 'the user' : 'the team'
      const isFirst = !told.has(who)
      told.add(who)
      const rest = `${adverbs}${verb === undefined ? '' : ` ${verb}`}`
      if (/^(?:my|our)$/.test(word)) return `${isFirst ? `${who}'s` : 'their'}${rest}`
      if (/^(?:mine|ours)$/.test(word)) return `${isFirst ? `${who}'s` : 'theirs'}${rest}`
      if (/^(?:me|us)$/.test(word)) return `${isFirst ? who : 'them'}${rest}`
      if (/sel(?:f|ves)$/.test(word)) return `themselves${rest}`
      if (isFirst) return `${who}${tail === undefined ? '' : TAILS[tail]}${adverbs}${singular(verb, tail)}`
      return `they${tail === undefined ? '' : `'${tail === 'm' ? 're' : tail}`}${adverbs}${plural(verb)}`
    },
  )
}

const TAILS: Readonly<Record<string, string>> = { m: ' is', re: ' is', ve: ' has', ll: ' will', d: ' would' }
const SINGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  were: 'was',
  have: 'has',
  do: 'does',
  go: 'goes',
  "don't": "doesn't",
  "haven't": "hasn't",
  "aren't": "isn't",
}
const UNBENT =
  /(?:ed|n't|ght)$|^(?:can|could|will|would|must|should|may|might|had|was|did|chose|went|made|took|wrote|built|ran|got|met|kept|lost|began|set|put|cut|and|or|in|on|at|to|for|who|with|not|as)$/

function singular(verb: string | undefined, tail: string | undefined): string {
  if (verb === undefined) return ''
  const plain = verb.replace('’', "'").toLowerCase()
  if (tail !== undefined) return ` ${verb}`
  if (SINGULAR[plain] !== undefined) return ` ${SINGULAR[plain]}`
  if (UNBENT.test(plain)) return ` ${verb}`
  if (/(?:s|x|z|ch|sh)$/.test(plain)) return ` ${verb}es`
  return /[^aeiou]y$/.test(plain) ? ` ${verb.slice(0, -1)}ies` : ` ${verb}s`
}

function plural(verb: string | undefined): string {
  if (verb === undefined) return ''
  return ` ${verb === 'am' ? 'are' : verb === 'was' ? 'were' : verb}`
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const DAY_MS = 86_400_000
const RELATIVE = new RegExp(
  [
    '\\b(?:the )?day after tomorrow\\b',
    '\\b(?:today|tonight|tomorrow|yesterday)\\b',
    `\\b(?:(?:next|this|coming) )?(?:${WEEKDAYS.join('|')})\\b`,
    `\\bin (?:an?|\\d+|${NUMBERS.join('|')}) (?:day|week)s?\\b`,
    '(?<!\\p{L})(?:heute|übermorgen|morgen|demain|mañana|hoy|завтра|сегодня)(?!\\p{L})',
    "aujourd['’]hui|今天|今日|明天|明日",
  ].join('|'),
  'giu',
)
/** Words for a time that mean no one day, or a day that is over: nobody can write a date for them. */
const UNCLEAR =
  /\b(?:next|this|last|coming) (?:week|weekend|month|quarter|year|sprint|spring|summer|autumn|fall|winter)\b|\blast (?:\w+day)\b|\bin (?:an?|\d+|\w+) (?:month|year)s?\b|\bago\b|\bsoon\b|\bgestern\b|\bhier soir\b|\bayer\b|(?:nächste|kommende|letzte)[nrms]? |\bprochaine?\b|que viene\b|(?<!\p{L})(?:вчера|следующ|через)|昨天|昨日|下周|上周|来週|先週|下个月|来月/iu

function withDates(sentence: string, today: string | undefined): string | undefined {
  if (UNCLEAR.test(sentence)) return undefined
  let isKnown = true
  const dated = sentence.replace(RELATIVE, (words, at: number) => {
    // 'On Fridays' is a habit; the expression does not take its s. A day beside its date needs none.
    if (isHabit(sentence, at, words)) return words
    const day = today === undefined ? undefined : dayOf(words.toLowerCase(), Date.parse(today))
    if (day === undefined || Number.isNaN(day)) isKnown = false
    return isKnown ? `${/^in /i.test(words) ? 'on ' : ''}${new Date(day as number).toISOString().slice(0, 10)}` : words
  })
  return isKnown ? dated : undefined
}

function isHabit(sentence: string, at: number, words: string): boolean {
  const behind = sentence.slice(at + words.length)
  return /(?:every|each) $/i.test(sentence.slice(0, at)) || /^,? (?:\(?\d{4}-\d\d-\d\d|\d{1,2} \w+ \d{4})/.test(behind)
}

function dayOf(words: string, today: number): number | undefined {
  if (/^(?:today|tonight|heute|hoy|сегодня|aujourd|今)/.test(words)) return today
  if (/day after tomorrow|übermorgen/.test(words)) return today + 2 * DAY_MS
  if (/^(?:tomorrow|morgen|demain|mañana|завтра|明)/.test(words)) return today + DAY_MS
  const weekday = WEEKDAYS.findIndex((day) => words.endsWith(day))
  if (weekday >= 0) {
    const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7 || 7
    // 'Next Friday' is that of the week to come, whatever day it is.
    const endOfWeek = (7 - new Date(today).getUTCDay()) % 7
    return today + (words.startsWith('next') && ahead <= endOfWeek ? ahead + 7 : ahead) * DAY_MS
  }
  const [, count = '', unit] = /^in (\w+) (day|week)/.exec(words) ?? []
  const number = /^an?$/.test(count) ? 1 : NUMBERS.includes(count) ? NUMBERS.indexOf(count) : Number(count)
  return unit === undefined ? undefined : today + number * (unit === 'week' ? 7 : 1) * DAY_MS
}
