import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, type OpenSession, type Session } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { offline, type Scenario, startSimulator } from '@nacre/simulator'
import { toolResultStorage } from '@nacre/tools'
import { unmarked } from '../session/unmarked.js'
import { REQUEST_LOG, requestLog } from './request-log.js'

const ID = 'busy-hour'

/** What became of one huge result. */
export interface ResultsChapter {
  /** Bytes that the tool gave, that the model was shown, and that the session's log has grown to. */
  readonly bytes: { readonly given: number; readonly shown: number; readonly log: number }
  /** What the preview says that the model has not seen. */
  readonly unseen: string
  readonly file: { readonly isWhole: boolean; readonly mode: number }
  readonly answer: string
  /** Whether the request after the resume says all that was said before it, to the byte. */
  readonly isSame: boolean
}

/** The model believes the preview: it looks for what it needs, and answers from what it found. */
const busyHour: Scenario = {
  name: ID,
  prompt: /which request failed/i,
  steps: [
    [{ type: 'tool_use', name: 'request_log', input: {} }],
    ({ results }) => {
      const [, name = ''] = /The whole is in the file (.+)/.exec(results.join('')) ?? []
      return [{ type: 'tool_use', name: 'ReadResult', input: { name, search: 'status=500' } }]
    },
    ({ results }) => `It is line ${/^\d+/.exec(results.join(''))?.[0]} of the log.`,
  ],
}

/** One huge result: put away, looked into, and the same after a resume. */
export async function playResults(): Promise<ResultsChapter> {
  const home = await mkdtemp(join(tmpdir(), 'nacre-demo-results-'))
  const simulator = await startSimulator({ model: offline({ scenarios: [busyHour] }) })
  const bodies: string[] = []
  simulator.observe(({ body }) => void bodies.push(unmarked(body)))
  const open = (asked: OpenSession) => openSession(simulator.url, home, asked)
  try {
    const session = await open({ id: ID })
    const answer = await answerOf(session, 'Which request failed?')
    const preview = resultIn(bodies[1])
    await session.close()
    const before = bodies.at(-1) as string
    const resumed = await open({ resume: ID })
    await answerOf(resumed, 'Thank you.')
    await resumed.close()
    const files = await filesBelow(home)
    const log = files.find((file) => file.endsWith('.jsonl')) as string
    const stored = files.find((file) => preview.includes(file)) as string
    return {
      bytes: { given: Buffer.byteLength(REQUEST_LOG), shown: Buffer.byteLength(preview), log: (await stat(log)).size },
      unseen: /NOT SEEN: (lines [\d-]+)/.exec(preview)?.[1] ?? 'nothing',
      file: { isWhole: (await readFile(stored, 'utf8')) === REQUEST_LOG, mode: (await stat(stored)).mode & 0o777 },
      answer,
      isSame: bodies.at(-1)?.startsWith(before.slice(0, -1)) ?? false,
    }
  } finally {
    await simulator.close()
    await rm(home, { recursive: true, force: true })
  }
}

function openSession(baseURL: string, home: string, open: OpenSession): Promise<Session> {
  return createSession({
    model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none needed', baseURL }),
    system: 'You look after a small web service.',
    tools: [requestLog],
    plugins: [toolResultStorage()],
    store: fileStore({ home, project: home }),
    open,
  })
}

async function answerOf(session: Session, prompt: string): Promise<string> {
  let answer = ''
  for await (const event of session.query(prompt)) {
    if (event.type === 'response') answer = event.entry.content.map(({ text }) => text ?? '').join('')
    if (event.type === 'end' && event.reason !== 'done') throw new Error(`${event.reason}: ${event.error?.message}`)
  }
  return answer
}

/** The first result in a list of messages, as the model reads it. */
function resultIn(messages = '[]'): string {
  const all = JSON.parse(messages) as {
    readonly content: readonly { readonly content?: readonly { text: string }[] }[]
  }[]
  const results = all.flatMap(({ content }) => content.flatMap((block) => block.content ?? []))
  return results[0]?.text ?? ''
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
