import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, type Session, type SessionEvent, type SessionOptions } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { type ModelTurn, type SimulatedModel, type Simulator, scripted, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type DreamOptions, dream, type Memories, openMemories } from '../../src/index.js'

/** A data folder, a project and a server, and sessions on them. */
export interface Stage {
  readonly home: string
  readonly project: string
  readonly simulator: Simulator
  readonly exchanges: { readonly source: string; readonly body: string }[]
  /** Milliseconds; moved by the test. */
  now: number
  open(options?: Partial<SessionOptions>, dreaming?: DreamOptions): Promise<Session>
  memories(): Promise<Memories>
}

type Reply = Exclude<Parameters<typeof scripted>[0], readonly unknown[]>
export type Script = Partial<Record<'main' | 'extract' | 'dream', (turn: ModelTurn) => ReturnType<Reply>>>

const START = Date.parse('2026-11-18T09:00:00Z')

/** A model by what it is asked for; it says 'Done.' to all else. */
export function byTask({ main, extract, dream: dreaming }: Script): SimulatedModel {
  return scripted((turn) => {
    if (turn.source === 'extract_memories') return extract?.(turn) ?? 'Nothing.'
    if (turn.source === 'dream') return dreaming?.(turn) ?? 'Nothing.'
    return main?.(turn) ?? 'Done.'
  })
}

export async function setStage(model: SimulatedModel): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), 'nacre-dream-'))
  const project = join(home, 'project')
  await mkdir(project)
  const simulator = await startSimulator({ model })
  onTestFinished(async () => {
    await simulator.close()
    await rm(home, { recursive: true, force: true })
  })
  const exchanges: { source: string; body: string }[] = []
  simulator.observe(({ body, entry }) => exchanges.push({ source: entry.source, body }))
  const connected = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL: simulator.url })
  const stage: Stage = {
    home,
    project,
    simulator,
    exchanges,
    now: START,
    async open(options = {}, dreaming = {}) {
      const session = await createSession({
        model: connected,
        store: fileStore({ home, project }),
        cwd: project,
        plugins: [dream({ home, project, ...dreaming })],
        ...options,
        details: {
          ...options.details,
          effects: { now: () => stage.now, wait: () => undefined, ...options.details?.effects },
        },
      })
      onTestFinished(() => session.close())
      return session
    },
    memories: () => openMemories({ home, project, now: () => stage.now }),
  }
  return stage
}

/** Asks, and gives all that was told; throws where the query failed. */
export async function ask(session: Session, prompt: string): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of session.query(prompt)) {
    events.push(event)
    if (event.type === 'end' && event.error) throw event.error
  }
  return events
}

/** Waits for background work by what it leaves: a session that is closed has done all of it. */
export async function say(stage: Stage, ...prompts: readonly string[]): Promise<string> {
  const session = await stage.open()
  for (const prompt of prompts) await ask(session, prompt)
  await session.close()
  return session.id
}

/** A call of the memory tool, as a model makes it. */
export function memoryCall(input: object) {
  return { type: 'tool_use' as const, name: 'memory', input }
}

export interface FileFacts {
  readonly name: string
  readonly type: string
  readonly quote: string
  readonly statement?: string
}

/** A new memory in the form that the prompt asks for. */
export function memoryFile({ name, type, quote, statement = quote }: FileFacts): string {
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(name)}\ntype: ${type}\nquote: ${JSON.stringify(quote)}\n---\n${statement}`
}

/** Whether the last message of a turn brings results: then the calls were made. */
export function hasResults({ messages }: ModelTurn): boolean {
  return messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false
}

/** An extraction that creates these and stops. */
export function extracting(...files: readonly FileFacts[]): NonNullable<Script['extract']> {
  return (turn) =>
    hasResults(turn)
      ? 'Saved.'
      : files.map((file) =>
          memoryCall({
            command: 'create',
            path: `/memories/${file.type === 'user' || file.type === 'feedback' ? 'person/' : ''}${file.name.toLowerCase().replace(/[^a-z]+/g, '-')}.md`,
            file_text: memoryFile(file),
          }),
        )
}
