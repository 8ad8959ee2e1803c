import { contentStems } from '@nacre/core'
import { freePath, type Memory, type MemoryType, oneLine, titleOf, toDay } from '../memory/memory.js'

/** What a person asks of their memory in a prompt. */
export type Request =
  | { readonly kind: 'remember'; readonly text: string; readonly quote: string }
  | { readonly kind: 'forget'; readonly text: string }

const POLITE =
  "(?:(?:please|pls|bitte|por favor|s'il te plaît|also|and|ok(?:ay)?|hey)[,:]?\\s+|(?:can|could|would) you (?:please )?)*"
const WORDS =
  '(?:remember|merk(?:e)? dir|denk daran|souviens-toi|retiens|recuerda|lembre(?:-se)?|запомни|记住|記住|覚えておいて|覚えて)'
const SOFT_WORDS = "(?:keep in mind|don['’]?t forget|note)"
const REMEMBER = new RegExp(
  `^\\s*${POLITE}(?:${WORDS}(?:[:：]|\\s+(?:that|this)(?=[\\s:,])|,?\\s+(?:dass|que|de que|что)(?=[\\s:,]))?|${SOFT_WORDS}(?:[:：]|\\s+that(?=\\s)))[\\s:：]+([\\s\\S]+)$`,
  'iu',
)
const FORGET = new RegExp(
  `^\\s*${POLITE}(?:forget|vergiss|oublie|olvida|esqueça|забудь|忘记|忘れて)\\s+(?:everything\\s+)?(?:(?:about|that|what (?:i|you) (?:said|know|remember)(?: about)?|dass|que|sobre)\\s+)*([\\s\\S]+)$`,
  'iu',
)
const NO_REQUEST =
  /^(?:when|how|what|where|who|which|whether|if|to\b(?! always| never)|it\b|me\b|you\b|the (?:last|previous|first) (?:one|time)\b|in the last\b)/i
/** What is only meant for a while is said to the agent, not to its memory. */
const FOR_A_WHILE =
  /\b(?:for (?:now|a (?:moment|while|second|minute)|the moment|today)|this time|right now|until later|for once|temporarily|in this (?:file|session|task))\b/i
/** Longer texts are tasks, not something to be remembered word for word. */
const LONGEST = 400

/** What a prompt asks to have remembered or forgotten; `undefined` where it asks for work. */
export function requestIn(prompt: string): Request | undefined {
  const [paragraph = ''] = prompt.trim().split(/\n\s*\n/)
  const remembered = REMEMBER.exec(paragraph)?.[1]?.trim()
  if (remembered !== undefined && isUsable(remembered)) {
    return { kind: 'remember', text: oneLine(remembered), quote: remembered }
  }
  const forgotten = FORGET.exec(paragraph)?.[1]
    ?.trim()
    .replace(/[.!]+$/, '')
  if (forgotten !== undefined && isUsable(forgotten) && contentStems(forgotten).length > 0) {
    return { kind: 'forget', text: oneLine(forgotten) }
  }
  return undefined
}

function isUsable(text: string): boolean {
  return (
    text.length >= 4 &&
    text.length <= LONGEST &&
    !/[?？]/.test(text) &&
    !NO_REQUEST.test(text) &&
    !FOR_A_WHILE.test(text)
  )
}

/** The type that words have, as far as rules can tell. */
export function typeOf(text: string): MemoryType {
  if (/https?:\/\/|\b(?:dashboard|tracker|wiki|channel|board|confluence|jira|linear|slack|notion)\b/i.test(text))
    return 'reference'
  if (
    /\b(?:always|never|don['’]?t|do not|stop|instead|from now on|when(?:ever)? you|you should|use|avoid|immer|nie|toujours|jamais|siempre|nunca)\b/i.test(
      text,
    )
  )
    return 'feedback'
  return /(?:^|[^\p{L}])(?:i|i['’]m|my|me|ich|mein\p{L}*|je|mon|ma|mi|yo|我|私)(?:[^\p{L}]|$)/iu.test(text)
    ? 'user'
    : 'project'
}

/** Whether words are about one project and not about the person: they name a file, or say so. */
export function isBoundToProject(text: string): boolean {
  return /`[^`]+`|(?:[\w.-]+\/)+[\w.-]+|\b[\w-]+\.(?:ts|js|tsx|py|rs|go|md|json|ya?ml|toml)\b|\b(?:this|the|our) (?:project|repo(?:sitory)?|code ?base|service|app|package|api)\b|\bhere\b/i.test(
    text,
  )
}

export interface Remembered {
  readonly text: string
  readonly source: Memory['source']
  readonly id: string
  readonly now: number
  readonly isTaken: (path: string) => boolean
  readonly type?: MemoryType
  readonly name?: string
}

/** A memory in a person's own words. */
export function rememberedMemory({ text, source, id, now, isTaken, type = typeOf(text), name }: Remembered): Memory {
  const title = name ?? titleOf(text)
  const day = toDay(now)
  const body = source.kind === 'session' ? `The user said on ${day}: ${text}` : text
  return {
    id,
    path: freePath(title, isTaken),
    name: title,
    description: oneLine(text),
    type,
    source,
    created: day,
    confirmed: day,
    isPinned: false,
    body,
    rest: {},
  }
}
