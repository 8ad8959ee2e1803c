import { toDay } from './memory.js'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}
const DAY_MS = 86_400_000

const weekday = WEEKDAYS.join('|')
/** A weekday that comes again and again is no date. */
const RECURRING = /\b(?:always|never|every|each|usually|only|don['’]?t|do not|no [a-z]+ing)\b/i
const RELATIVE = new RegExp(
  [
    '\\b(?:today|tonight|tomorrow|yesterday|the day (?:after tomorrow|before yesterday))\\b',
    `\\b(?:next|this|last|coming|on|by|until|since) (?:${weekday})\\b`,
    '\\b(?:next|this|last|coming) (?:week|weekend|month|quarter|year|sprint)\\b',
    '\\bin (?:a|an|\\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:day|week|month|year)s?\\b',
    '\\b(?:a|an|\\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:day|week|month|year)s? (?:ago|from now)\\b',
    '(?<!\\p{L})(?:heute|morgen früh|übermorgen|gestern|nächste[nrms]? (?:woche|monat|jahr)|letzte[nrms]? (?:woche|monat|jahr))(?!\\p{L})',
    "\\b(?:aujourd['’]hui|demain|hier|la semaine prochaine|le mois prochain)\\b",
    '(?<!\\p{L})(?:hoy|mañana|ayer|la semana que viene|el mes que viene|завтра|послезавтра|вчера|сегодня|на следующей неделе)(?!\\p{L})',
    '(?:今日|明日|昨日|来週|先週|今天|明天|昨天|下周|上周)',
  ].join('|'),
  'giu',
)

/** Words for a time that are only true on the day on which they are said. */
export function relativeDates(text: string): readonly string[] {
  const found = [...text.matchAll(RELATIVE)].map(([words]) => words)
  return RECURRING.test(text) ? found.filter((words) => !/^(?:on|by|until|since) /i.test(words)) : found
}

const ABSOLUTE = /\b\d{4}-\d{2}-\d{2}\b/g

/** Days that a text names in full. */
export function absoluteDays(text: string): readonly string[] {
  return [...text.matchAll(ABSOLUTE)].map(([day]) => day)
}

/**
 * Whether a day can be what words for a time mean that were said at some moment. Words for a span, such as 'next week',
 * allow each of its days; words of other languages allow any day within a year, since they are not worked out here.
 */
export function canMean(words: string, said: number, day: string): boolean {
  const text = words.toLowerCase()
  const span = spanOf(text, said)
  const [from, to] = span ?? [said - 366 * DAY_MS, said + 366 * DAY_MS]
  return day >= toDay(from) && day <= toDay(to)
}

function spanOf(text: string, said: number): readonly [number, number] | undefined {
  const at = (days: number, around = 0) => [said + (days - around) * DAY_MS, said + (days + around) * DAY_MS] as const
  // People are in other time zones than clocks: half a day more or less is no error.
  if (/today|tonight/.test(text)) return at(0, 0.5)
  if (/day after tomorrow/.test(text)) return at(2, 0.5)
  if (/tomorrow/.test(text)) return at(1, 0.5)
  if (/day before yesterday/.test(text)) return at(-2, 0.5)
  if (/yesterday/.test(text)) return at(-1, 0.5)
  const named = WEEKDAYS.findIndex((day) => text.includes(day))
  if (named >= 0) return /last|since/.test(text) ? at(-7, 7) : at(7, 7)
  const counted = /(\d+|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten)\b) (day|week|month|year)/.exec(text)
  if (counted) {
    const [, count = '', unit = ''] = counted
    const length = { day: 1, week: 7, month: 30.5, year: 365.25 }[unit] ?? 1
    const days = (NUMBERS[count] ?? Number(count)) * length
    return at(/ago/.test(text) ? -days : days, Math.max(1, length / 2))
  }
  const unit = /(week|month|quarter|year|sprint)/.exec(text)?.[1]
  if (unit === undefined) return undefined
  const length = { week: 8, month: 32, quarter: 93, year: 367, sprint: 30 }[unit] ?? 8
  if (/last/.test(text)) return at(-length, length)
  return /this/.test(text) ? at(0, length) : at(length, length)
}

const MONTHS: readonly RegExp[] = [
  /\b(?:jan(?:uary|uar|vier)?|enero)\b/i,
  /\b(?:feb(?:ruary|ruar|rero)?|février)\b/i,
  /\b(?:mar(?:ch|s|zo)?|märz)\b/i,
  /\b(?:apr(?:il)?|avril|abril)\b/i,
  /\b(?:may|mai|mayo)\b/i,
  /\b(?:june?|juni|juin|junio)\b/i,
  /\b(?:july?|juli|juillet|julio)\b/i,
  /\b(?:aug(?:ust)?|août|agosto)\b/i,
  /\b(?:sep(?:t(?:ember|embre|iembre)?)?)\b/i,
  /\b(?:oct(?:ober|obre|ubre)?|oktober)\b/i,
  /\b(?:nov(?:ember|embre|iembre)?)\b/i,
  /\b(?:dec(?:ember)?|dezember|décembre|diciembre)\b/i,
]

/** Whether a text names a day, in full or by its month and number. */
export function namesDay(text: string, day: string): boolean {
  if (text.includes(day)) return true
  const [, month = 0, date = 0] = day.split('-').map(Number)
  const hasDate = new RegExp(`(?<!\\d)0?${date}(?!\\d)`).test(text)
  const isNumeric = new RegExp(
    `(?<!\\d)0?${date}\\s?[./月-]\\s?0?${month}(?!\\d)|(?<!\\d)0?${month}\\s?[./月-]\\s?0?${date}(?!\\d)`,
  ).test(text)
  return isNumeric || (hasDate && (MONTHS[month - 1]?.test(text) ?? false))
}
