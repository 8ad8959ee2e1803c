import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What the server is like is in a file, so that a test can change it between two starts. */
export function readSettings() {
  return JSON.parse(readFileSync(process.env.SETTINGS, 'utf8'))
}

const text = (content) => ({ content: [{ type: 'text', text: content }] })
const schema = { type: 'object', properties: { text: { type: 'string' } } }

/** `crash` is what a crash in the middle of a call means for the transport. */
export function makeServer(settings, crash) {
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} }
  const { instructions } = settings
  const server = new Server({ name: 'test', version: '1' }, { capabilities, instructions })
  const names = [...settings.tools]
  const runs = {
    echo: (input) => text(`echo: ${input.text}`),
    pid: () => text(String(process.pid)),
    environment: () => text(JSON.stringify(process.env)),
    refuse: () => ({ ...text('not today'), isError: true }),
    throw: () => {
      throw new Error('it broke')
    },
    crash: (_input, extra) => {
      appendFileSync(settings.journal, 'crash\n')
      crash(extra)
      return new Promise(() => undefined)
    },
    slow: (_input, { signal }) =>
      new Promise((resolve) => {
        appendFileSync(settings.journal, 'slow began\n')
        signal.addEventListener('abort', () => {
          appendFileSync(settings.journal, 'slow was cancelled\n')
          resolve(text('too late'))
        })
      }),
    steps: async (_input, { sendNotification, _meta }) => {
      for (const progress of [1, 2]) {
        const params = { progressToken: _meta.progressToken, progress, total: 2, message: `step ${progress}` }
        await sendNotification({ method: 'notifications/progress', params })
      }
      return text('all steps done')
    },
    all_kinds: () => ({
      content: [
        { type: 'text', text: 'words' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        { type: 'image', data: PIXEL, mimeType: 'image/tiff' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'note://a', text: 'a note' } },
        { type: 'resource', resource: { uri: 'pic://a', mimeType: 'image/png', blob: PIXEL } },
        { type: 'resource_link', uri: 'note://b', name: 'b', description: 'another note' },
      ],
      structuredContent: { degrees: 21 },
    }),
    structured: () => ({ ...text('{ "degrees": 21 }'), structuredContent: { degrees: 21 } }),
    nothing: () => ({ content: [] }),
    grow: async (input) => {
      names.push(...(input.add ?? []))
      for (const name of input.remove ?? []) names.splice(names.indexOf(name), 1)
      await server.sendToolListChanged()
      return text('grown')
    },
    child: () => text(String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid)),
  }
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    const page = names.slice(start, start + 60)
    const tools = page.map((name) => ({
      name,
      description: settings.descriptions?.[name] ?? `The tool ${name}.`,
      inputSchema: schema,
      ...(name === 'echo' && { annotations: { readOnlyHint: true } }),
    }))
    return { tools, ...(start + 60 < names.length && { nextCursor: String(start + 60) }) }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const run = runs[params.name] ?? (() => text(`ran ${params.name}`))
    return run(params.arguments ?? {}, extra)
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who' }, { name: 'how' }] }],
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${JSON.stringify(params.arguments)}.` } }],
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'note://a', name: 'a' }] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
    contents: [{ uri: params.uri, text: 'the text of a note' }],
  }))
  return server
}
