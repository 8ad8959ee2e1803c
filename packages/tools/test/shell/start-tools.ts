import type { ToolContext, ToolResult } from '@nacre/core'
import { onTestFinished } from 'vitest'
import { type BashTools, bashTools, type ShellOptions, type ShownTool, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

export interface Shell {
  readonly tools: BashTools
  readonly folder: string
  /** Runs a command as an agent would, and gives the text of its result. */
  run(command: string, more?: object, context?: Partial<ToolContext>): Promise<string>
  result(command: string, more?: object, context?: Partial<ToolContext>): Promise<ToolResult>
  output(id: string, more?: object, context?: Partial<ToolContext>): Promise<string>
  kill(id: string): Promise<string>
}

/** Tools without an agent, in a folder of their own. They are closed with the test. */
export async function startTools(options: ShellOptions = {}): Promise<Shell> {
  const folder = await temporaryFolder()
  const tools = bashTools(options)
  onTestFinished(() => tools.close())
  const call = async <Input>(tool: ShownTool<Input>, input: object, context?: Partial<ToolContext>) =>
    tool.run(tool.schema.parse(input), toolContext(folder, context))
  const result: Shell['result'] = (command, more, context) => call(tools.bash, { command, ...more }, context)
  return {
    tools,
    folder,
    result,
    run: async (...parameters) => textOf(await result(...parameters)),
    output: async (id, more, context) => textOf(await call(tools.bashOutput, { id, ...more }, context)),
    kill: async (id) => textOf(await call(tools.killBash, { id })),
  }
}
