// Conversations with questions whose evidence is known. The sets are for benchmarks only: nothing of them is kept here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A conversation in the order in which it was said, and what is asked about it.
 * @typedef {{ id: string, text: string, speaker: string, group: string, time?: number }} Said
 * @typedef {{ text: string, kind: string, evidence: ReadonlySet<string> }} Question
 * @typedef {{ texts: readonly Said[], questions: readonly Question[], user?: string }} Conversation
 */

const KINDS = ['', 'several places', 'temporal', 'open', 'one place']

/** LoCoMo: turns of two people over many sessions. @param {string} folder @returns {Conversation[] | undefined} */
export function readLocomo(folder) {
  const path = join(folder, 'locomo', 'locomo-dev.json')
  if (!existsSync(path)) return undefined
  return JSON.parse(readFileSync(path, 'utf8')).map(({ conversation, qa }) => {
    const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key))
    const texts = sessions.flatMap((session) =>
      conversation[session].map(({ dia_id: id, text, speaker }) => {
        return { id, text, speaker, group: session, time: readTime(conversation[`${session}_date_time`]) }
      }),
    )
    const known = new Set(texts.map(({ id }) => id))
    const questions = qa
      .filter(({ category }) => category >= 1 && category <= 4)
      .map(({ question, category, evidence }) => {
        const ids = evidence.flatMap((id) => id.match(/D\d+:\d+/g) ?? []).filter((id) => known.has(id))
        return { text: question, kind: KINDS[category] ?? '', evidence: new Set(ids) }
      })
    return { texts, questions: questions.filter(({ evidence }) => evidence.size > 0) }
  })
}

/** '1:56 pm on 8 May, 2023', or 'March-15-2024'. @param {string | null | undefined} text */
function readTime(text) {
  const time = Date.parse(
    `${(text ?? '')
      .replace(/^.* on /, '')
      .replace(',', '')
      .replaceAll('-', ' ')} UTC`,
  )
  return Number.isNaN(time) ? undefined : time
}

/** BEAM: long chats with an assistant. @param {string} folder @returns {Conversation[] | undefined} */
export function readBeam(folder) {
  const path = join(folder, 'beam')
  if (!existsSync(path)) return undefined
  const chats = readdirSync(path).sort((a, b) => Number(a) - Number(b))
  return chats.map((chat) => {
    const texts = readJson(join(path, chat, 'chat.json')).flatMap(({ batch_number: batch, time_anchor: day, turns }) =>
      turns.flat().map(({ id, role, content, time_anchor: own }) => {
        // The end of a message is a mark of the set.
        const text = content.replace(/\s*->->\s*[\d,\s]*$/, '')
        return { id: String(id), text, speaker: role, group: String(batch), time: readTime(own ?? day) }
      }),
    )
    const asked = Object.entries(readJson(join(path, chat, 'probing_questions.json')))
    const questions = asked.flatMap(([kind, each]) =>
      each.map(({ question, source_chat_ids: ids }) => ({ text: question, kind, evidence: new Set(idsIn(ids)) })),
    )
    return { texts, questions: questions.filter(({ evidence }) => evidence.size > 0), user: 'user' }
  })
}

/** Some of the files have commas behind the last item. @param {string} path */
function readJson(path) {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replace(/,(\s*[\]}])/g, '$1'))
  }
}

/** Ids stand in lists, or in lists by what they are evidence of. @returns {string[]} */
function idsIn(value) {
  if (typeof value === 'number' || typeof value === 'string') return [String(value)]
  return value === null || value === undefined ? [] : Object.values(value).flatMap(idsIn)
}
