import { access } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { NacreError } from '@nacre/core'
import type { Memories, Memory } from '@nacre/dream'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { type CommandPlace, sessionFiles } from './find-session.js'

interface PurgeRequest {
  readonly memories: Memories
  readonly place: CommandPlace
  readonly wanted: string
  /** Without a question. */
  readonly isSure: boolean
  /** Also out of the logs of sessions. */
  readonly withLogs: boolean
}

interface Purged {
  readonly json?: unknown
  readonly text: string
  readonly code?: number
}

/** Takes a memory out for good, once a person has said so, and tells where its words still stand. */
export async function purgeMemory(terminal: Terminal, request: PurgeRequest): Promise<Purged> {
  const { memories, place, wanted, isSure, withLogs } = request
  const { memory } = await memories.show(wanted)
  if (!isSure && !(await confirm(terminal, memory))) return { text: 'Nothing was purged.', code: EXIT.failed }
  const { sessions, scope } = await memories.purge(memory.id)
  const cleaned = withLogs ? await cleanLogs(place, memory, sessions) : []
  const left = sessions.filter((id) => !cleaned.includes(id))
  const text = [
    `Purged: ${memory.name} (${memory.id}) is gone from the folder, its history and its objects. A tombstone without its words is left, so that it is not learnt again.`,
    ...(cleaned.length > 0 ? [`Its words were taken out of the logs of: ${cleaned.join(', ')}.`] : []),
    ...(await whereItStands(place, left, memory.id, withLogs)),
  ].join('\n')
  return { json: { id: memory.id, name: memory.name, scope, cleaned, sessions: left }, text }
}

async function confirm({ stdin, stdout }: Terminal, { name, id }: Memory): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY) {
    const how = `To purge ${name} without a question: nacre memory purge ${id} --yes`
    throw new NacreError(
      'INVALID_SETTINGS',
      `What is purged can not be brought back, and nobody is there to be asked. ${how}`,
    )
  }
  const asked = createInterface({ input: stdin, output: stdout })
  try {
    const answer = await asked.question(`Purge ${name} (${id}) with its history? It can not be undone. (yes/no) `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    asked.close()
  }
}

/** Sessions of this project out of whose logs the words could be taken. A log that is open somewhere is left alone. */
async function cleanLogs(
  { store }: CommandPlace,
  memory: Memory,
  sessions: readonly string[],
): Promise<readonly string[]> {
  const words = wordsOf(memory)
  const done: string[] = []
  for (const session of sessions) {
    try {
      if (((await store.peek?.(session)) ?? []).length === 0) continue
      for (const each of words) await store.purge(session, each)
      const left = JSON.stringify((await store.peek?.(session)) ?? [])
      if (!words.some((each) => left.includes(JSON.stringify(each).slice(1, -1)))) done.push(session)
    } catch {
      // It is named among those that still hold the words.
    }
  }
  return done
}

/** The words by which a memory could be known again: what was quoted, and what it says. */
function wordsOf({ source, body, description }: Memory): readonly string[] {
  const quotes = source.kind === 'session' ? source.evidence.map(({ quote }) => quote) : []
  const [first = ''] = body.trim().split('\n')
  return [...new Set([...quotes, first, description].map((text) => text.trim()))].filter((text) => text.length >= 8)
}

async function whereItStands(
  place: CommandPlace,
  sessions: readonly string[],
  id: string,
  wasTried: boolean,
): Promise<readonly string[]> {
  if (sessions.length === 0) return ['No log of this project holds its words.']
  const lines = await Promise.all(
    sessions.map(async (session) => {
      const { log } = sessionFiles(place, session)
      const isHere = await access(log).then(
        () => true,
        () => false,
      )
      return `  ${session}  ${isHere ? log : 'a session of another project'}`
    }),
  )
  const how = wasTried
    ? 'They are open, in other words, or in another project: delete what you do not want to keep.'
    : `Before it is purged, nacre memory purge ${id} --logs takes them out of the logs too; now delete the logs that you do not want to keep.`
  return ['Its words still stand in the logs of these sessions:', ...lines, how]
}
