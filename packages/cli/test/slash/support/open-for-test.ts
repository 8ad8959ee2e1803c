import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '@nacre/compact'
import { createSession, NacreError, type OpenSession, type Plugin, resolveModel, type SessionEvent } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { sessionMemory } from '@nacre/session-memory'
import { type LedgerEntry, type SimulatedModel, type Simulator, startSimulator, stillClock } from '@nacre/simulator'
import { createPermissions, standardTools } from '@nacre/tools'
import { onTestFinished, vi } from 'vitest'
import type { OpenedSession } from '../../../src/session/opened-session.js'
import { switchedFlags } from '../../../src/session/switched-flags.js'
import { runSlashCommand } from '../../../src/slash/run-slash-command.js'
import type { SlashContext, SlashOutput } from '../../../src/slash/slash-command.js'
import { fileReader } from './file-reader.js'

export const MODEL = 'claude-sonnet-4-6'
export const OTHER_MODEL = 'claude-opus-5-5'
const PROJECT = 'slash'

export interface Folders {
  readonly home: string
  readonly cwd: string
}

export interface TestSession {
  readonly opened: OpenedSession
  readonly simulator: Simulator
  readonly requests: readonly LedgerEntry[]
  readonly context: SlashContext
  /** Moves the clock of the session on. */
  pass(milliseconds: number): void
  ask(prompt: string): Promise<SessionEvent | undefined>
  run(typed: string, options?: Partial<SlashContext>): Promise<SlashOutput>
}

export interface TestOptions {
  readonly plugins?: readonly Plugin[]
  readonly open?: OpenSession
  readonly window?: number
  readonly flags?: Readonly<Record<string, boolean>>
  readonly simulator?: Simulator
  readonly model?: SimulatedModel
  /** Is given the way to move the clock before the session is opened. */
  passing?(pass: (milliseconds: number) => void): void
}

/** A home and a project with six files; both end with the test, and nothing else of this machine is looked at. */
export function makeFolders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'nacre-slash-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folders = { home: join(root, 'home'), cwd: join(root, 'project') }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  for (const part of [1, 2, 3, 4, 5, 6]) {
    const lines = Array.from({ length: 150 }, (_, line) => `export const value${line} = compute(${part}, ${line})`)
    writeFileSync(join(folders.cwd, `part-${part}.ts`), lines.join('\n'))
  }
  vi.stubEnv('HOME', folders.home)
  vi.stubEnv('NACRE_HOME', folders.home)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return folders
}

/** A session as the program opens it, with all its layers, that talks to a simulator over a socket. */
export async function openForTest({ home, cwd }: Folders, options: TestOptions = {}): Promise<TestSession> {
  const simulator =
    options.simulator ??
    (await startSimulator({ model: options.model ?? fileReader, clock: stillClock(), details: { seed: 7 } }))
  if (!options.simulator) onTestFinished(() => simulator.close())
  const requests: LedgerEntry[] = []
  simulator.observe(({ entry }) => requests.push(entry))
  const window = options.window ?? 200_000
  const connect = (name: string) =>
    anthropicModel({ model: resolveModel(name, { window }), apiKey: 'test', baseURL: simulator.url })
  let time = Date.UTC(2026, 0, 1)
  const pass = (milliseconds: number) => {
    time += milliseconds
    simulator.clock.advance(milliseconds)
  }
  options.passing?.(pass)
  const permissions = createPermissions()
  const live = switchedFlags()
  const errors: NacreError[] = []
  const store = fileStore({ home, project: PROJECT, now: () => time })
  const plugins = [
    ...standardTools({ permissions, mcp: { files: { user: false, project: false } } }),
    sessionMemory({ home, project: PROJECT }),
    compact(),
    ...(options.plugins ?? []),
  ]
  const model = connect(MODEL)
  const session = await createSession({
    model,
    plugins,
    system: 'You work.',
    store,
    cwd,
    ...(options.open && { open: options.open }),
    ...(options.flags && { flags: options.flags }),
    details: {
      senses: { now: () => time, wait: () => undefined },
      flagSources: { live },
      report: (error) => errors.push(error),
    },
  })
  onTestFinished(() => session.close())
  const opened: OpenedSession = {
    session,
    model: model.info,
    settings: {},
    permissions,
    plugins,
    isOffline: true,
    notices: [],
    close: () => session.close(),
    controls: {
      store,
      modelNames: () => [MODEL, OTHER_MODEL],
      async makeModel(name) {
        if (name === MODEL || name === OTHER_MODEL) return connect(name)
        throw new NacreError('NOT_FOUND', `There is no model '${name}'.`)
      },
      setFlag: live.set,
      errors: () => errors,
      diagnose: async () => [
        { name: 'key', status: 'ok', detail: 'ANTHROPIC_API_KEY is set.' },
        { name: 'folder', status: 'failed', detail: `${home} can not be written.`, remedy: 'Make it writable.' },
      ],
    },
  }
  const context: SlashContext = { opened, width: 80, hasColour: false, signal: new AbortController().signal }
  return {
    opened,
    simulator,
    requests,
    context,
    pass,
    async ask(prompt) {
      let last: SessionEvent | undefined
      for await (const event of session.query(prompt)) last = event
      return last
    },
    run: (typed, others = {}) => runSlashCommand(typed, { ...context, ...others }),
  }
}
