import {
  type Command,
  type Dispatcher,
  definePlugin,
  estimateText,
  type HookContext,
  type Json,
  NacreError,
  type Plugin,
  type Prompt,
  type SetupContext,
} from '@nacre/core'
import { z } from 'zod'
import { stateEntry } from '../conversation.js'
import { textOf } from '../define-tool.js'
import { judgeLate, judgeResult, OWNER, type StorageContext, type StorageFlag } from './judge-results.js'
import { READ_RESULT, readResultTool } from './read-result-tool.js'
import { createToolLimits, limitsInForce, limitsSchema, type ResultLimits } from './result-limits.js'
import { callsIn, type ResultsByMessage, resultsByMessage } from './results-by-message.js'
import { fitTexts, keepText, shrinkingText } from './shrinking-text.js'

export interface ToolResultStorageOptions {
  /** Limits in place of the usual ones; a function is asked at each use. */
  readonly limits?: Partial<ResultLimits> | (() => Partial<ResultLimits>)
  /** Whether the model gets a tool that reads what was put away. Not needed where a file tool reads the store's blobs. */
  readonly readTool?: boolean
}

/** Keeps long results and long pasted texts in blobs of the session; the model sees a preview and how to get the rest. */
export function toolResultStorage(options: ToolResultStorageOptions = {}): Plugin<StorageFlag> {
  if (typeof options.limits !== 'function') checkLimits(options.limits)
  return definePlugin({
    name: OWNER,
    // What a fork or a sub-agent reads fills a context too.
    scope: 'all',
    flags: { results: true, messages: true, prompts: true },
    setup(context) {
      const storage = storageOf(options, context)
      const { tools, flag, resultsOf, blobs, readTool } = storage
      return {
        hooks: {
          async SessionStart({ source }, hook) {
            // Nothing runs yet, so what is proposed here is installed at once.
            if (source === 'resume' || source === 'fork') await (await judgeLate(storage, hook))?.answer
          },
          PreparePrompt: {
            order: 'post',
            async handler({ value }, hook) {
              if (hook.source !== 'main') return undefined
              const late = await judgeLate(storage, hook)
              late?.answer.catch(() => undefined)
              return flag('prompts') ? preparePrompt(storage, value, hook) : undefined
            },
          },
          PrepareToolUse: ({ tool }) => tools.learn(tool),
          PostModelCall: ({ response }, { hooks }) => resultsOf(hooks).answered(callsIn(response.content)),
          PostToolUse: { order: 'post', handler: ({ call, value }, hook) => judgeResult(storage, call, value, hook) },
          PostToolUseFailure: {
            order: 'post',
            handler: ({ call, value }, hook) => judgeResult(storage, call, value, hook),
          },
        },
        tools: readTool ? [readResultTool(blobs)] : [],
        commands: [limitsCommand(storage)],
      }
    },
  })
}

function storageOf(options: ToolResultStorageOptions, context: SetupContext<StorageFlag>): StorageContext {
  const { sessionId, store, flag } = context
  const conversations = new WeakMap<Dispatcher, ResultsByMessage>()
  return {
    sessionId,
    blobs: store,
    flag,
    tools: createToolLimits(),
    readTool: options.readTool === false ? undefined : READ_RESULT,
    limits(view) {
      const given = typeof options.limits === 'function' ? options.limits() : options.limits
      return limitsInForce(given, view.state(OWNER, 'limits'))
    },
    resultsOf(hooks) {
      const results = conversations.get(hooks) ?? resultsByMessage()
      conversations.set(hooks, results)
      return results
    },
  }
}

function checkLimits(limits: unknown): void {
  try {
    limitsInForce(limits, undefined)
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new NacreError('INVALID_SETTINGS', `The limits of ${OWNER} are wrong: ${why}`, {
      plugin: OWNER,
      cause: error,
    })
  }
}

/** What a prompt may take of the context before it is too much, however long it is. */
const SHARE = 1 / 4

/** Puts long texts of a prompt away, the largest first. Decided once, when the prompt comes in. */
async function preparePrompt(
  { blobs, sessionId, readTool, limits }: StorageContext,
  { content }: Prompt,
  { view }: HookContext,
): Promise<Prompt | undefined> {
  const { prompt, preview } = limits(view())
  const whole = textOf({ content })
  const { threshold, factor } = view().tokens
  if (whole.length <= prompt || estimateText(whole) * factor < threshold * SHARE) return undefined
  const name = `pasted-text/${sessionId}/prompt`
  const items = content.map((block) => {
    if (block.type !== 'text') return { block, text: shrinkingText('') }
    const text = String(block.text)
    const keep = () => keepText(text, { store: blobs, name, preview, cutTo: prompt, readTool })
    return { block, text: shrinkingText(text, keep) }
  })
  const changed = await fitTexts(items, prompt)
  if (changed.length === 0) return undefined
  return { content: items.map(({ block, text }) => (text.logged() ? { ...block, text: text.shown() } : block)) }
}

const USAGE = 'Say a limit and a number, such as `message 100000` or `tools.Bash 10000`; `default` takes it back.'

type Given = Partial<ResultLimits>

/** Shows the limits, and sets them for the rest of the session. */
function limitsCommand({ limits }: Pick<StorageContext, 'limits'>): Command {
  return {
    name: 'result-limits',
    help: `Shows how long results may be, or changes it: ${USAGE}`,
    async run(args, { view, store }) {
      const [name, amount, ...rest] = args.trim().split(/\s+/).filter(Boolean)
      if (name === undefined) return shownLimits(limits(view()))
      const set =
        rest.length === 0 ? withLimit((view().state(OWNER, 'limits') ?? {}) as Given, name, amount) : undefined
      if (!set) return `'${args.trim()}' is no limit. Known: ${KNOWN.join(', ')}, tools.<name>. ${USAGE}`
      await store.append([stateEntry(OWNER, 'limits', set as unknown as Json)])
      return shownLimits(limits(view()))
    },
  }
}

const KNOWN = Object.keys(limitsSchema.shape).filter((name) => name !== 'tools')

function withLimit(set: Given, name: string, amount = ''): Given | undefined {
  // A number beyond all numbers would not come back from the log.
  if (amount !== 'default' && !(/^\d+$/.test(amount) && Number.isFinite(Number(amount)))) return undefined
  if (name.startsWith('tools.'))
    return { ...set, tools: withAmount(set.tools ?? {}, name.slice('tools.'.length), amount) }
  return KNOWN.includes(name) ? withAmount(set as Record<string, never>, name, amount) : undefined
}

function withAmount<Amounts extends object>(amounts: Amounts, name: string, amount: string): Amounts {
  const others = Object.entries(amounts).filter(([other]) => other !== name)
  return Object.fromEntries(amount === 'default' ? others : [...others, [name, Number(amount)]]) as Amounts
}

function shownLimits({ tools, ...limits }: ResultLimits): string {
  const own = Object.entries(tools).map(([name, amount]) => [`tools.${name}`, amount] as const)
  return [...Object.entries(limits), ...own].map(([name, amount]) => `${name} ${amount}`).join('\n')
}
