import { type Dispatcher, definePlugin, NacreError, type Plugin, type SetupContext } from '@nacre/core'
import { z } from 'zod'
import { callsIn } from './find-results.js'
import { judgeLate } from './judge-late.js'
import { judgeResult } from './judge-result.js'
import { limitsCommand } from './limits-command.js'
import { preparePrompt } from './prepare-prompt.js'
import { READ_RESULT, readResultTool } from './read-result-tool.js'
import { limitsInForce, type ResultLimits } from './result-limits.js'
import { type ResultsByMessage, resultsByMessage } from './results-by-message.js'
import { OWNER, type StorageFlag, type StorageParts } from './storage-parts.js'
import { createToolLimits } from './tool-limits.js'

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
      const parts = partsOf(options, context)
      const { tools, flag, resultsOf, store, readTool } = parts
      return {
        hooks: {
          async SessionStart({ source }, hook) {
            // Nothing runs yet, so what is proposed here is installed at once.
            if (source === 'resume' || source === 'fork') await (await judgeLate(parts, hook))?.answer
          },
          PreparePrompt: {
            order: 'post',
            async handler({ value }, hook) {
              if (hook.source !== 'main') return undefined
              const late = await judgeLate(parts, hook)
              late?.answer.catch(() => undefined)
              return flag('prompts') ? preparePrompt(parts, value, hook) : undefined
            },
          },
          PrepareToolUse: ({ tool }) => tools.learn(tool),
          PostModelCall: ({ response }, { hooks }) => resultsOf(hooks).answered(callsIn(response.content)),
          PostToolUse: { order: 'post', handler: ({ call, value }, hook) => judgeResult(parts, call, value, hook) },
          PostToolUseFailure: {
            order: 'post',
            handler: ({ call, value }, hook) => judgeResult(parts, call, value, hook),
          },
        },
        tools: readTool ? [readResultTool(store)] : [],
        commands: [limitsCommand(parts)],
      }
    },
  })
}

function partsOf(options: ToolResultStorageOptions, context: SetupContext<StorageFlag>): StorageParts {
  const { sessionId, store, flag } = context
  const conversations = new WeakMap<Dispatcher, ResultsByMessage>()
  return {
    sessionId,
    store,
    flag,
    tools: createToolLimits(),
    readTool: options.readTool === false ? undefined : READ_RESULT,
    judged: new Set(),
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
