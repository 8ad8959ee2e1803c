import { retell } from './retell.js'

type FactType = 'user' | 'feedback' | 'project' | 'reference'

/** What a sentence says that is worth knowing next time. */
export interface Fact {
  readonly type: FactType
  readonly statement: string
  /** The sentence to the letter. */
  readonly quote: string
  /** Whether it holds wherever the person works. */
  readonly isPersonal: boolean
  /** The reason that the sentence gives. */
  readonly why: string | undefined
  /** When the sentence says that it matters. */
  readonly when: string | undefined
}

/** The fact in a sentence of a person; none in most of them. `today`, such as `2026-11-18`, where somebody has said it. */
export function factIn(sentence: string, today: string | undefined): Fact | undefined {
  const asked = sentence.replace(ASKED_TO_KEEP, '')
  const words =
    asked.charAt(0).toUpperCase() === asked.charAt(0) ? asked : asked.charAt(0).toUpperCase() + asked.slice(1)
  const type = typeOf(words, asked !== sentence)
  if (type === undefined || isOfTheCode(words, type)) return undefined
  const statement = retell(words, today)
  if (statement === undefined) return undefined
  const isPersonal = type === 'user' || (type === 'feedback' && !OF_THE_PROJECT.test(words))
  return { type, statement, quote: sentence, isPersonal, why: partOf(statement, WHY), when: partOf(statement, WHEN) }
}

const ASKED_TO_KEEP =
  /^(?:please )?(?:remember|keep in mind|note|bear in mind|don['’]t forget|merke? dir|denk daran|rappelle-toi|recuerda|запомни|记住|覚えておいて)(?:,? (?:for (?:later|next time),? )?(?:that|dass|que)|[,:：，])\s*(?!time\b|day\b|when\b)/iu

function typeOf(sentence: string, isAskedToKeep: boolean): FactType | undefined {
  const found = RULES.find(({ form, not }) => form.test(sentence) && !not?.test(sentence))
  return found?.type ?? (isAskedToKeep && !POINTS.test(sentence) ? 'project' : undefined)
}

/** What points at something in view, and means nothing later. */
const POINTS =
  /\b(?:this|these|those|here|above|below|yet|again|so far)\b|\b(?:do|don['’]t|did|stop|never|always|avoid|like|love|hate|prefer|use|that was|doing) (?:it|that|them|so)\b(?! (?:\w+s|can|must|should|will)\b)|\bthe (?:first|second|third|last|latter|former|other|new one|old one|one|idea|option|approach)\b/i
const TASK = /\b(?:want|need|would|'d|let me|going to|trying to|have to|i(?:'| wi)ll)\b/i

const DATE =
  /\d{4}-\d{2}-\d{2}|\b\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?|\b(?:\d{1,2}(?:st|nd|rd|th|er)?\.? (?:of |de )?)?(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juillet|aug(?:ust|usto)?|août|sep(?:t(?:ember|embre|iembre)?)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember)?|décembre|diciembre)\b\.?(?: \d{1,2}\b)?|\d{1,2} \p{L}+[ая] |\d{1,2}月\d{1,2}[日号]|\b(?:to)?morrow\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bin (?:\w+) (?:day|week)s?\b|(?<!\p{L})(?:morgen|demain|mañana|завтра)(?!\p{L})|明天|明日/iu
const EVENT =
  'deadline|code freeze|feature freeze|freeze|release|launch|go-?live|cut-?off|audit|migration|demo|due|ships?|frist|abgabe|stichtag|termin|date limite|échéance|livraison|gel|fecha límite|entrega|lanzamiento'
const REASON =
  /\b(?:because|since|so that|due to|as (?:it|we|they|the)|weil|denn|damit|wegen|parce que|car|puisque|porque|ya que)\b|(?<!\p{L})(?:потому что|так как|чтобы)(?!\p{L})|因为|由于|ので|ため|から/iu

interface Rule {
  readonly type: FactType
  readonly form: RegExp
  readonly not?: RegExp
}

/** The first that fits tells the type. */
const RULES: readonly Rule[] = [
  // Where things are outside: a place, and what is there. A request to look there is none.
  {
    type: 'reference',
    form: /(?:https?:\/\/\S+|\B#[a-z][\w-]{2,})/i,
    not: /^(?:please )?(?:look|fetch|open|see|check|read|visit|go|download|summari[sz]e|clone|try|take|compare|i |use|here)\b|\b(?:this|localhost|127\.0\.0\.1)\b/i,
  },
  {
    type: 'reference',
    form: /\b(?:is|are) (?:all )?(?:tracked|documented|kept|stored|discussed|posted|announced|reported|filed) (?:in|on|at|under) (?:the |our )?(?:\p{Lu}|wiki|board|tracker)/u,
  },
  {
    type: 'reference',
    form: /\b(?:liegt|liegen|steht|stehen|findet sich) (?:in|im|unter|auf) (?:Confluence|Jira|Notion|Linear)/,
  },

  // How work is to be done.
  { type: 'feedback', form: /\b(?:from now on|going forward|in (?:the )?future|next time)\b/i, not: TASK },
  { type: 'feedback', form: /^(?:please,? )?(?:always|never)\b/i, not: POINTS },
  { type: 'feedback', form: /^(?:you )?(?:should|must) (?:always|never)\b/i, not: POINTS },
  {
    type: 'feedback',
    form: /^(?:please,? )?(?:don['’]t|do not|stop|avoid|quit)\b/i,
    not: new RegExp(`${POINTS.source}|\\b(?:worry|bother|mind|know|the server|the tests?$)\\b`, 'i'),
  },
  {
    type: 'feedback',
    form: /^(?:please,? )?(?:use|prefer|write|run|put|keep|name|call|say|commit|format)\b.*\b(?:instead of|rather than|, not|and not|never)\b/i,
    not: POINTS,
  },
  {
    type: 'feedback',
    form: /^(?:please,? )?(?:answer|reply|respond|explain|ask|run|write|test)\b.*\b(?:always|every time|each time|whenever)\b/i,
    not: POINTS,
  },
  {
    type: 'feedback',
    form: /^(?:bitte )?(?:immer|nie|niemals|ab jetzt|ab sofort|künftig|in zukunft|verwende[nt]? .+ statt|antworte .*immer)(?!\p{L})/iu,
  },
  {
    type: 'feedback',
    form: /^(?:s['’]il te plaît,? )?(?:toujours|dorénavant|désormais|à partir de maintenant|n['’]utilise (?:pas|jamais)|ne \p{L}+ (?:jamais|pas)|utilise .+ au lieu)(?!\p{L})/iu,
  },
  {
    type: 'feedback',
    form: /^(?:por favor,? )?(?:siempre|nunca|a partir de ahora|de ahora en adelante|no uses|usa .+ en (?:vez|lugar) de)(?!\p{L})/iu,
  },
  {
    type: 'feedback',
    form: /^(?:пожалуйста,? )?(?:всегда|никогда|отныне|впредь|с этого момента|не используй|не пиши|используй .+ вместо)(?!\p{L})/iu,
  },
  { type: 'feedback', form: /^(?:请)?(?:总是|始终|永远|从现在起|从现在开始|以后|今后|不要|别再)/u },
  { type: 'feedback', form: /(?:常に|必ず|今後は?|これからは?|絶対に).*(?:ください|して|しないで|使う|使って)/u },

  // What is going on, until when, and why.
  {
    type: 'project',
    form: new RegExp(`\\b(?:${EVENT})\\b(?=.*(?:${DATE.source}))|(?:${DATE.source}).*\\b(?:${EVENT})\\b`, 'iu'),
    not: /^(?:please )?(?:can|fix|make|write|add|update|prepare)\b|\bi\b/i,
  },
  {
    type: 'project',
    form: new RegExp(
      `(?:дедлайн|релиз|срок|截止|发布|上线|冻结|締め切り|締切|リリース).*(?:${DATE.source})|(?:${DATE.source}).*(?:дедлайн|релиз|截止|发布|上线|冻结|締め切り|締切|リリース)`,
      'iu',
    ),
  },
  {
    type: 'project',
    form: /(?:^(?:we|the team)(?:['’]ve| have)? (?:decided|agreed|chose|settled)|^wir haben (?:uns )?.*(?:entschieden|beschlossen|geeinigt)|^nous avons décidé|^(?:hemos decidido|decidimos)|^мы решили|^我们决定|(?:決めました|決定しました|ことにしました))/iu,
  },
  {
    type: 'project',
    form: /^(?:we|our) (?!saw|got|had|did|need|want|can['’]t|cannot|could|should)\p{L}+ .*\b(?:because|so that)\b/iu,
    not: POINTS,
  },
  {
    type: 'project',
    form: /^we (?:never|always|only|must not|must|cannot|can['’]t|may not)\b(?! (?:saw|had|got|did|was|were|\w+ed)\b)/i,
    not: POINTS,
  },
  {
    type: 'project',
    form: /^(?:legal|compliance|the (?:client|customer|contract|auditors?)|our (?:client|customer|contract|customers|clients|budget|goal|sla))\b.*\b(?:requires?|forbids?|needs?|is|are|must|wants?|has to)\b/i,
    not: POINTS,
  },
  {
    type: 'project',
    form: /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)? (?:owns|leads|maintains|approves|reviews|signs off|is (?:responsible for|in charge of|the (?:owner|lead|maintainer) of))\b/u,
    not: POINTS,
  },

  // Who they are.
  {
    type: 'user',
    form: /^I(?:['’]m| am) (?:not )?(?:an?|the|one of|based in|from|new to|responsible|in charge|colou?r-?blind|left-handed|deaf|blind|dyslexic|fluent|vegan|a native)\b/i,
    not: /^I(?:['’]m| am) (?:not )?an? (?:bit|little|lot|tad)\b|\bthe (?:problem|issue)\b/i,
  },
  {
    type: 'user',
    form: /^I (?:usually |mostly |mainly |only )?(?:work|live) (?:as|at|for|in|on|with|from|mostly|mainly|remotely|part[- ]time)\b/i,
    not: POINTS,
  },
  {
    type: 'user',
    form: /^I(?:['’]ve| have) (?:been \w+ing|worked|used|written|programmed)\b.*\b(?:years?|since|decades?)\b|^I have (?:\w+|\d+) years\b/i,
    not: POINTS,
  },
  {
    type: 'user',
    form: /^I (?:(?:really|strongly|usually|always|never|generally|much|only|mostly|still|no longer|now) )*(?:prefer|like|love|hate|dislike|can['’]t stand|speak|use|write|read|switched to|moved to|don['’]t (?:like|use|know|speak|read|want|write)|do not (?:like|use|know|want)|switched)\b/i,
    not: new RegExp(`${POINTS.source}|\\b(?:what|how) (?:you|we)\\b`, 'i'),
  },
  {
    type: 'user',
    form: /^My (?:first |last |full |native |main |current |preferred )?(?:name|role|job|title|language|mother tongue|time ?zone|editor|keyboard|team|background|pronouns|company|shell|laptop|machine|os|working hours|workday|handle|terminal)\b.*(?:\bis\b|\bare\b|['’]s\b)/i,
    not: POINTS,
  },
  {
    type: 'user',
    form: /^(?:ich (?:bin(?! gerade| mir| nicht sicher)|arbeite|bevorzuge|mag|hasse|spreche|heiße|nutze|benutze|schreibe|wohne|lebe)|mein(?:e)? (?:name|rolle|editor|muttersprache|zeitzone|team) ist)(?!\p{L})/iu,
  },
  {
    type: 'user',
    form: /^(?:je (?:suis(?! en train| d['’]accord| sûr)|préfère|travaille|déteste|parle|m['’]appelle|vis)|j['’](?:aime|utilise|habite|écris)|mon (?:nom|rôle|éditeur|équipe) est)(?!\p{L})/iu,
  },
  {
    type: 'user',
    form: /^(?:yo )?(?:soy|prefiero|trabajo|odio|hablo|vivo|me llamo|uso|me gusta|no me gusta)(?!\p{L})/iu,
  },
  {
    type: 'user',
    form: /^(?:я (?:предпочитаю|работаю(?! над)|живу|говорю|не люблю|люблю|использую|пишу на|\p{L}*(?:разработчик|инженер|программист|дизайнер)\p{L}*)|меня зовут)(?!\p{L})/iu,
  },
  { type: 'user', form: /^我(?:是|叫|喜欢|不喜欢|更喜欢|讨厌|住在|偏好|习惯|一直用|平时用)/u },
  { type: 'user', form: /^(?:私|僕|俺)は.*(?:です|ます|好き|嫌い|だ)[。！]?$/u, not: /思い|でしょう/u },
]

const PATH =
  /(?<![\w/:.-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w.-]+|\b[\w-]+\.(?:[cm]?[jt]sx?|json|py|rs|go|java|rb|css|html|ya?ml|toml|sql|sh)\b/
const RESULT =
  /\b(?:(?:was|were|is|got|has been|have been) (?:fixed|resolved|patched|refactored|implemented|merged|reverted)|root cause|stack ?trace|commit [0-9a-f]{7,40})\b/i

/** What the code, its history or its package file says needs no memory. */
function isOfTheCode(sentence: string, type: FactType): boolean {
  if (type === 'user' || type === 'feedback') return false
  if (RESULT.test(sentence)) return true
  if (type === 'reference') return false
  const isDecision = /\b(?:decided|agreed|chose|settled|entschieden|beschlossen|décidé|decid)|решили|决定|決/i.test(
    sentence,
  )
  return PATH.test(sentence) || (isDecision && !REASON.test(sentence) && !DATE.test(sentence))
}

const OF_THE_PROJECT = new RegExp(
  `${PATH.source}|https?://|\\B#[a-z]|\\b(?:the|our|this) (?:\\w+ )?(?:repo|repository|project|codebase|service|app|api|backend|frontend|package|monorepo|module|database|schema|migrations?|pipeline|staging|production|client|customer)\\b|dies(?:em|es) projekt|ce projet|este proyecto|этом проекте|(?:这个|本)项目|このプロジェクト`,
  'i',
)

const WHY =
  /(?<!\p{L})(?:because|so that|due to|weil|damit|parce que|porque|потому что)(?!\p{L})\s*(.{4,}?)[.!]?$|(?:因为|由于)(.{2,}?)[。！，,]/iu
const WHEN = /\b((?:when|whenever|before|after|unless|every time)\b[^,.;]{4,})/i

function partOf(sentence: string, form: RegExp): string | undefined {
  const found = form
    .exec(sentence)
    ?.slice(1)
    .find((part) => part !== undefined)
  return found?.trim()
}
