import type { Tool } from '@nacre/core'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'

/** A tool that is called as the shell is, and only writes down what it would have run. */
export function bashTool(): { readonly tool: Tool; readonly ran: string[] } {
  const ran: string[] = []
  const tool = defineTool({
    name: 'Bash',
    description: 'Runs a command.',
    input: z.object({ command: z.string() }),
    title: ({ command }) => command,
    run({ command }) {
      ran.push(command)
      return `Ran ${command}`
    },
  })
  return { tool: tool as Tool, ran }
}
