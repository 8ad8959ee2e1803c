import type { Prompt } from '@modelcontextprotocol/sdk/types.js'
import type { Command } from '@nacre/core'
import type { ServerConnection } from './server-connection.js'
import { toolName } from './tool-name.js'

/** The prompts of a server as commands. What a prompt says goes to the model with what the person says next. */
export function promptCommands(connection: ServerConnection): readonly Command[] {
  return connection.listing().prompts.map((prompt) => ({
    name: toolName(connection.name, prompt.name),
    help: [prompt.description ?? prompt.name, ...(prompt.arguments ?? []).map(({ name }) => `<${name}>`)].join(' '),
    async run(args, { note, signal }) {
      const given = argumentsOf(prompt, args)
      const ask = { name: prompt.name, arguments: given }
      const answered = await connection.ask((client, own) => client.getPrompt(ask, { signal: own }), signal)
      if ('lost' in answered) return `MCP server '${connection.name}' can not be reached: ${answered.lost.reason}.`
      const text = answered.answer.messages
        .flatMap(({ content }) => (content.type === 'text' ? [content.text] : []))
        .join('\n')
      note({ text, trust: 'content', tag: 'mcp-prompt' })
      return text
    },
  }))
}

/** Words in the order of the prompt's arguments, in quotes where they have spaces; the last one takes the rest. */
function argumentsOf({ arguments: wanted = [] }: Prompt, args: string): Record<string, string> {
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const entries = wanted.map(({ name }, index) => {
    const isLast = index === wanted.length - 1
    return [name, isLast ? words.slice(index).join(' ') : (words[index] ?? '')]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}
