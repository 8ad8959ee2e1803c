import { findModel, knownModels, type Model, NacreError, type ResolvedModel, resolveModel } from '@nacre/core'
import type { Settings } from '../settings/settings.js'
import { nearestWord } from '../terminal/nearest-word.js'
import type { Terminal } from '../terminal/terminal.js'
import { offlineServer } from './offline-model.js'

/** The model that answers unless settings name another. */
export const DEFAULT_MODEL = 'claude-opus-5-5'

/** One sentence with the three ways on. */
export const NO_MODEL =
  'No model can be reached: set ANTHROPIC_API_KEY, point ANTHROPIC_BASE_URL at a server that speaks the Messages API, or start with --offline for a model that answers by rules.'

/** The models that a session may use, all reached in the same way. */
export interface SessionModels {
  readonly first: LazyModel
  names(): readonly string[]
  /** Throws where a name is plainly a slip, or nobody could answer by it. */
  make(name: string): LazyModel
  close(): Promise<void>
}

/** Finds the way to a model: the API by key or address, or the offline one. Throws the three ways on where there is none. */
export function sessionModels(env: Terminal['env'], settings: Settings, isOffline: boolean): SessionModels {
  const apiKey = env.ANTHROPIC_API_KEY?.trim()
  const baseURL = env.ANTHROPIC_BASE_URL?.trim()
  if (!isOffline && !apiKey && !baseURL && !env.ANTHROPIC_AUTH_TOKEN?.trim()) throw new NacreError('AUTH', NO_MODEL)
  if (!isOffline && baseURL) checkAddress(baseURL)
  const { contextWindow: window, cache: { edits: cacheEdits = false } = {} } = settings
  const server = isOffline ? offlineServer(settings) : undefined
  const connection = async () => {
    if (server) return { apiKey: 'none needed', baseURL: await server.url() }
    if (!apiKey && env.ANTHROPIC_AUTH_TOKEN?.trim()) return baseURL ? { baseURL } : {}
    return { apiKey: apiKey || 'none given', ...(baseURL && { baseURL }) }
  }
  const make = (name: string) => {
    checkName(name, isOffline)
    const known = resolveModel(name, window === undefined ? { environment: env } : { window })
    const info = cacheEdits ? { ...known, can: new Set([...known.can, 'cache-edits' as const]) } : known
    return lazyModel(info, async () => {
      const { anthropicModel } = await import('@nacre/core/anthropic')
      const thinking = thinksAdaptively(info) && { thinking: { type: 'adaptive' } }
      return anthropicModel({ model: info, ...(await connection()), ...thinking, cacheEdits })
    })
  }
  return {
    first: make(settings.model ?? DEFAULT_MODEL),
    names: knownModels,
    make,
    close: async () => server?.close(),
  }
}

function checkAddress(address: string): void {
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return
  const expected = 'the address of a server, such as https://api.example.com'
  throw new NacreError('INVALID_SETTINGS', `The variable ANTHROPIC_BASE_URL is '${address}'; it has to be ${expected}.`)
}

/** Older ones take only a fixed budget, and unknown ones may take none. */
function thinksAdaptively({ can }: ResolvedModel): boolean {
  return can.has('compaction') || can.has('system-messages')
}

const FAMILIES = ['opus', 'sonnet', 'haiku', 'fable', 'mythos']

/** The newest model of a family, where a definition of an agent names only that; else the name as it is. */
export function newestOf(name: string): string {
  const family = name.trim().toLowerCase()
  if (!FAMILIES.includes(family)) return name
  const version = (id: string) => (id.match(/\d+/g) ?? []).map((part) => part.padStart(3, '0')).join('.')
  const members = knownModels().filter((id) => id.split('-').includes(family))
  return members.toSorted((one, other) => version(other).localeCompare(version(one)))[0] ?? name
}

/** A new model has a name that nobody here knows yet, so only what differs in spelling alone is refused. */
function checkName(name: string, isOffline: boolean): void {
  if (findModel(name)) return
  const spelt = name
    .trim()
    .toLowerCase()
    .replaceAll(/[.\s_]+/g, '-')
  const meant = [spelt, `claude-${spelt}`].find((each) => findModel(each))
  const near = meant ?? nearestWord(name, knownModels())
  if (meant === undefined && !isOffline && name.trim() !== '') return
  const hint = near ? ` Did you mean '${near}'?` : ''
  const where = isOffline ? ' The offline model only stands in for known ones.' : ''
  throw new NacreError(
    'UNKNOWN_MODEL',
    `There is no model '${name}'.${hint}${where} Known: ${knownModels().join(', ')}.`,
  )
}

/** A model whose client is loaded with the first request: a start does not wait for it. */
interface LazyModel extends Model {
  readonly info: ResolvedModel
  /** Loads it before it is needed. What fails then fails again with the first request, where somebody hears of it. */
  warm(): void
}

function lazyModel(info: ResolvedModel, load: () => Promise<Model>): LazyModel {
  let loaded: Promise<Model> | undefined
  const model = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
  return {
    info,
    warm: () => void model().catch(() => undefined),
    async *stream(request, signal) {
      yield* (await model()).stream(request, signal)
    },
    async count(request, signal) {
      const { count } = await model()
      if (!count) throw new Error(`${info.id} can not count tokens.`)
      return count(request, signal)
    },
  }
}
