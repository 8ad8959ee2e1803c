import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What a model said, and the texts of the span that it would stand for. Summaries by models, and what was really said next
 * where a summary might have been asked for: words of up to 1,200 characters, questions, and long answers.
 * @typedef {'summary' | 'goes on' | 'asks' | 'goes on at length'} Kind
 * @typedef {{ kind: Kind, half: 'tuned' | 'other', text: string, sources: readonly string[] }} Sample
 * @typedef {{ role: string, texts: readonly string[], said: string }} Said
 */

/** Sources on which the figures were tuned; all others are reported beside them. */
const TUNED = /^(?:258c7280|large-session|django__django-1(?:1138|5629)|beam-[123]$|conv-(?:26|30|41)$)/

/** @param {string} folder @returns {Sample[] | undefined} */
export function spokenSources(folder) {
  if (!existsSync(join(folder, 'claude-code'))) return undefined
  return [...recordings(folder), ...chats(folder), ...conversations(folder)]
}

const CLAUDE = 'claude-code'

/** @param {string} folder @returns {Sample[]} */
function recordings(folder) {
  const claude = filesIn(folder, CLAUDE, '.jsonl').flatMap((file) => {
    const lines = linesOf(join(folder, CLAUDE, file)).filter(
      ({ message, isSidechain, isMeta }) => message && !isSidechain && !isMeta,
    )
    const at = lines.findIndex(({ isCompactSummary }) => isCompactSummary)
    const messages = lines.filter(({ isCompactSummary }) => !isCompactSummary).map(({ message }) => said(message))
    const summary =
      at === -1
        ? []
        : [
            summaryOf(
              file,
              said(lines[at].message).said,
              lines.slice(0, at).map(({ message }) => said(message)),
            ),
          ]
    return [...summary, ...continuations(file, messages)]
  })
  const pi = filesIn(folder, 'pi', '.jsonl').flatMap((file) =>
    continuations(
      file,
      linesOf(join(folder, 'pi', file))
        .filter(({ type }) => type === 'message')
        .map(({ message }) => said(message)),
    ),
  )
  const swe = filesIn(folder, 'swe', '.json').flatMap((file) =>
    continuations(
      file,
      JSON.parse(readFileSync(join(folder, 'swe', file), 'utf8'))
        .messages.slice(1)
        .map(said),
    ),
  )
  return [...claude, ...pi, ...swe]
}

/** Chats with questions, some of which ask for a summary of the messages they name. @param {string} folder @returns {Sample[]} */
function chats(folder) {
  return filesIn(folder, 'beam', '').flatMap((name) => {
    const read = (/** @type {string} */ file) =>
      JSON.parse(readFileSync(join(folder, 'beam', name, file), 'utf8').replace(/,(\s*[\]}])/g, '$1'))
    const all = read('chat.json').flatMap(({ turns }) => turns.flat())
    const clean = (/** @type {any} */ { role, content }) =>
      said({ role, content: String(content).replace(/->->.*$/, '') })
    const summaries = read('probing_questions.json').summarization.map((question) => {
      const ids = new Set([question.source_chat_ids].flat(9))
      return summaryOf(`beam-${name}`, question.ideal_summary, all.filter(({ id }) => ids.has(id)).map(clean))
    })
    return [...summaries, ...continuations(`beam-${name}`, all.map(clean))]
  })
}

/** Conversations between two people, with a summary of each session. @param {string} folder @returns {Sample[]} */
function conversations(folder) {
  return filesIn(folder, 'locomo', '.json').flatMap((file) =>
    JSON.parse(readFileSync(join(folder, 'locomo', file), 'utf8')).flatMap(
      ({ sample_id: name, conversation, session_summary: summaries }) =>
        Object.entries(summaries).flatMap(([key, summary]) => {
          const turns = conversation[key.replace(/_summary$/, '')] ?? []
          const messages = turns.map(({ speaker, text }) =>
            said({ role: speaker === conversation.speaker_a ? 'user' : 'assistant', content: text }),
          )
          if (messages.length === 0) return []
          return [summaryOf(name, summary, messages), ...nextWords(name, messages, Math.floor(messages.length / 2))]
        }),
    ),
  )
}

const STEPS = 12
const SIZES = [6_000, 24_000, 100_000, 480_000]

/** At some points of a session, for spans of several sizes in characters that end there. @param {string} name @param {readonly Said[]} messages */
function continuations(name, messages) {
  const ends = messages.flatMap(({ role }, index) =>
    role === 'assistant' && index > 1 && index < messages.length - 2 ? [index] : [],
  )
  const step = Math.max(1, Math.floor(ends.length / STEPS))
  return ends
    .filter((_, index) => index % step === step - 1)
    .flatMap((end) =>
      SIZES.flatMap((size) => {
        const start = startOf(messages, end, size)
        return start === undefined ? [] : nextWords(name, messages, end + 1, start)
      }),
    )
}

/** @param {readonly Said[]} messages @param {number} end @param {number} size */
function startOf(messages, end, size) {
  let left = size
  for (let index = end; index >= 0; index--) {
    left -= messages[index].texts.join('').length
    if (left <= 0) return index
  }
  return undefined
}

const LONG = 1_200

/** @param {string} name @param {readonly Said[]} messages @param {number} at @returns {Sample[]} */
function nextWords(name, messages, at, start = 0) {
  const words = messages
    .slice(at)
    .flatMap(({ role, said: text }) => (role === 'assistant' && text !== '' ? [text] : []))
  const sources = messages.slice(start, at).flatMap(({ texts }) => texts)
  const [next] = words
  const question = words.find((text) => /\?\s*$/.test(text) && text.length <= LONG)
  return [
    ...(next === undefined ? [] : [sample(name, next.length > LONG ? 'goes on at length' : 'goes on', next, sources)]),
    ...(question === undefined ? [] : [sample(name, 'asks', question, sources)]),
  ]
}

/** @param {string} name @param {string} text @param {readonly Said[]} messages */
function summaryOf(name, text, messages) {
  return sample(
    name,
    'summary',
    text,
    messages.flatMap(({ texts }) => texts),
  )
}

/** @param {string} name @param {Kind} kind @param {string} text @param {readonly string[]} sources @returns {Sample} */
function sample(name, kind, text, sources) {
  return { kind, half: TUNED.test(name) ? 'tuned' : 'other', text, sources }
}

/** @param {any} message @returns {Said} */
function said({ role, content }) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const words = blocks
    .filter(({ type, text }) => type === 'text' && String(text).trim() !== '')
    .map(({ text }) => String(text))
  return {
    role: role === 'toolResult' ? 'user' : role,
    texts: blocks.flatMap(textsOf),
    said: role === 'toolResult' ? '' : words.join('\n').trim(),
  }
}

/** @param {any} block @returns {string[]} */
function textsOf({ type, text, input, arguments: given, content }) {
  if (type === 'text') return [String(text)]
  if (type === 'tool_use' || type === 'toolCall') return strings(input ?? given)
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? content.flatMap(textsOf) : []
}

/** @param {unknown} value @returns {string[]} */
function strings(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/** @param {string} folder @param {string} part @param {string} ending @returns {string[]} */
function filesIn(folder, part, ending) {
  const path = join(folder, part)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith(ending))
        .sort()
    : []
}

/** @param {string} path @returns {any[]} */
function linesOf(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}
