import { compact } from '@nacre/compact'
import { createSession, type OpenSession, type Plugin, resolveModel, type Session } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { sessionMemory } from '@nacre/session-memory'
import {
  createPermissions,
  files,
  isReadOnlyCommand,
  permissions,
  search,
  shell,
  todos,
  toolResultStorage,
} from '@nacre/tools'

/** The model that all runs are priced as. */
export const MODEL = 'claude-sonnet-5'

export interface Place {
  /** The simulator; without it the API, with the key and the address of the environment. */
  readonly url?: string
  readonly model: string
  readonly window: number
  /** The shop that the agent works on. */
  readonly project: string
  /** Where sessions and notes are kept. */
  readonly home: string
  readonly flags: Readonly<Record<string, boolean>>
  readonly maxDollars?: number
}

/** A small window wants smaller results than usual, and notes not for every little step. */
const RESULT_LIMITS = { tools: { Bash: 10_000 } }
const GROWTH = 25_000

/** What only some sessions have. */
interface Besides {
  readonly plugins?: readonly Plugin[]
  /** The clock; the real one unless told. */
  now?(): number
}

/** Opens a session of the demo, the same whichever process does it. */
export function openSession(place: Place, open: OpenSession, { plugins = [], now }: Besides = {}): Promise<Session> {
  const { project, home, flags } = place
  const rules = createPermissions({
    mode: 'accept-edits',
    rules: { allow: ['Bash(node:*)', 'Bash(cat:*)', 'Bash(sed -n:*)'] },
  })
  return createSession({
    model: modelAt(place),
    system: 'You look after a small shop. Read before you judge, and name the file and the line.',
    plugins: [
      permissions(rules),
      toolResultStorage({ limits: RESULT_LIMITS }),
      files({ guard: rules.guard }),
      shell({ isReadOnlyCommand }),
      search({ guard: rules.guard }),
      todos(),
      sessionMemory({ home, project, growth: GROWTH }),
      compact(),
      ...plugins,
    ],
    flags,
    store: fileStore({ home, project }),
    cwd: project,
    open,
    details: {
      ...(place.maxDollars !== undefined && { limits: { maxBudgetUsd: place.maxDollars } }),
      effects: {
        ...(now && { now }),
        // With the network of the simulator cut, nobody wants to wait for it in a demo.
        ...(place.url !== undefined && { wait: () => undefined }),
      },
    },
  })
}

function modelAt({ url, model, window }: Place) {
  const resolved = resolveModel(model, { like: MODEL, window })
  return anthropicModel({
    model: resolved,
    ...(url === undefined ? keyless() : { baseURL: url, apiKey: 'none needed' }),
  })
}

/** The client wants a key even where a server of one's own wants none. */
function keyless() {
  const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN } = process.env
  return ANTHROPIC_API_KEY || ANTHROPIC_AUTH_TOKEN ? {} : { apiKey: 'none given' }
}
