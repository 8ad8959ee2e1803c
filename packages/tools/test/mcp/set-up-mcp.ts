import { type Contribution, memoryStore, type Tool, type ToolResult } from '@nacre/core'
import { onTestFinished } from 'vitest'
import { type McpOptions, mcp, textOf } from '../../src/index.js'
import { toolContext } from '../support/tool-context.js'
import type { WhenOver } from './test-server.js'

export interface SetUpMcp {
  readonly contribution: Contribution
  tool(name: string): Tool
  call(name: string, input?: object, over?: Parameters<typeof toolContext>[1]): Promise<ToolResult>
  textOf(name: string, input?: object): Promise<string>
}

/** The plugin set up without a session; disposed when the test is over, unless told otherwise. */
export async function setUpMcp(
  options: McpOptions,
  { cwd = '.', whenOver = onTestFinished }: { cwd?: string; whenOver?: WhenOver } = {},
): Promise<SetUpMcp> {
  const store = await memoryStore().open('alone', new AbortController().signal)
  const model = { window: 1_000_000, can: new Set(['deferred-tools']) }
  const session = { source: 'main' } as never
  const context = { sessionId: 'alone', cwd, store, model: model as never, session, flag: () => true, now: () => 0 }
  const contribution = await mcp(options).setup(context)
  whenOver(async () => contribution.dispose?.())
  const tool = (name: string) => {
    const found = contribution.tools?.find((each) => each.name === name)
    if (!found) throw new Error(`no tool ${name} among ${contribution.tools?.map((each) => each.name).join(' ')}`)
    return found
  }
  const call: SetUpMcp['call'] = async (name, input = {}, over = {}) => {
    const called = tool(name)
    return called.run(called.schema.parse(input), toolContext(cwd, over))
  }
  return { contribution, tool, call, textOf: async (name, input) => textOf(await call(name, input)) }
}
