import { compact } from '@nacre/compact'
import {
  createSession,
  NacreError,
  type OpenSession,
  type Plugin,
  resolveModel,
  type SessionDetails,
  type SessionEvent,
} from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { sessionMemory } from '@nacre/session-memory'
import { type LedgerEntry, type SimulatedModel, type Simulator, startSimulator, stillClock } from '@nacre/simulator'
import { createPermissions, standardTools } from '@nacre/tools'
import { onTestFinished } from 'vitest'
import { switchedFlags } from '../../../src/session/open-session.js'
import type { OpenedSession, SessionControls } from '../../../src/session/opened-session.js'
import type { SlashContext, SlashOutput } from '../../../src/slash/slash-command.js'
import { runSlashCommand } from '../../../src/slash/slash-commands.js'
import { fileReader } from './file-reader.js'
import type { Folders } from './make-folders.js'

export const MODEL = 'claude-sonnet-4-6'
export const OTHER_MODEL = 'claude-opus-5-5'
const PROJECT = 'slash'

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
  /** Names of plugins of the standard set that are left out. */
  readonly without?: readonly string[]
  readonly open?: OpenSession
  readonly flags?: Readonly<Record<string, boolean>>
  readonly simulator?: Simulator
  readonly model?: SimulatedModel
  /** Tokens; as large as most models have it unless told. */
  readonly window?: number
  /** Is given the way to move the clock before the session is opened. */
  passing?(pass: (milliseconds: number) => void): void
}

/** A session as the program opens it, with all its layers, that talks to a simulator over a socket. */
export async function openForTest(folders: Folders, options: TestOptions = {}): Promise<TestSession> {
  const simulator = options.simulator ?? (await simulate(options))
  const requests: LedgerEntry[] = []
  simulator.observe(({ entry }) => requests.push(entry))
  let time = Date.UTC(2026, 0, 1)
  const pass = (milliseconds: number) => {
    time += milliseconds
    simulator.clock.advance(milliseconds)
  }
  options.passing?.(pass)
  const opened = await openSession(folders, options, simulator.url, () => time)
  const context: SlashContext = { opened, width: 80, hasColour: false, signal: new AbortController().signal }
  return {
    opened,
    simulator,
    requests,
    context,
    pass,
    async ask(prompt) {
      let last: SessionEvent | undefined
      for await (const event of opened.session.query(prompt)) last = event
      return last
    },
    run: (typed, others = {}) => runSlashCommand(typed, { ...context, ...others }),
  }
}

async function simulate({ model = fileReader, window }: TestOptions): Promise<Simulator> {
  const models = window === undefined ? [] : [MODEL, OTHER_MODEL].map((id) => ({ id, like: id, window }))
  const simulator = await startSimulator({ model, models, clock: stillClock(), details: { seed: 7 } })
  onTestFinished(() => simulator.close())
  return simulator
}

async function openSession(
  { home, cwd }: Folders,
  { plugins: others = [], without = [], open, flags, window = 200_000 }: TestOptions,
  url: string,
  now: () => number,
): Promise<OpenedSession> {
  const connect = (name: string) =>
    anthropicModel({ model: resolveModel(name, { window }), apiKey: 'test', baseURL: url })
  const model = connect(MODEL)
  const permissions = createPermissions()
  const live = switchedFlags()
  const errors: NacreError[] = []
  const store = fileStore({ home, project: PROJECT, now })
  const tools = standardTools({ permissions, mcp: { files: { user: false, project: false } } })
  const kept = tools.filter(({ name }) => !without.includes(name))
  const plugins = [...kept, sessionMemory({ home, project: PROJECT }), ...compact(), ...others]
  const details: SessionDetails = {
    effects: { now, wait: () => undefined },
    flagSources: { live },
    report: (error) => errors.push(error),
  }
  const asked = { ...(open && { open }), ...(flags && { flags }) }
  const session = await createSession({ model, plugins, system: 'You work.', store, cwd, details, ...asked })
  onTestFinished(() => session.close())
  const controls: SessionControls = {
    store,
    modelNames: () => [MODEL, OTHER_MODEL],
    async makeModel(name) {
      if (name === MODEL || name === OTHER_MODEL) return connect(name)
      throw new NacreError('NOT_FOUND', `There is no model '${name}'.`)
    },
    setFlag: live.set,
    errors: () => errors,
    dreamPhase: async () => undefined,
    diagnose: async () => [
      { name: 'key', status: 'ok', detail: 'ANTHROPIC_API_KEY is set.' },
      { name: 'folder', status: 'failed', detail: `${home} can not be written.`, remedy: 'Make it writable.' },
    ],
  }
  const close = () => session.close()
  return {
    session,
    model: model.info,
    settings: {},
    permissions,
    plugins,
    team: () => undefined,
    isOffline: true,
    controls,
    notices: [],
    close,
  }
}
