import Anthropic from '@anthropic-ai/sdk'
import { PROMPT, readProjectFile } from './story.js'

type MessageParam = Anthropic.MessageParam
type Block = Anthropic.ContentBlockParam

export interface AgentOptions {
  readonly url: string
  readonly folder: string
  readonly model: string
  /** Whether the last message and the system prompt are marked for the cache. */
  readonly marks: boolean
  /** The system prompt of a request; the same every time, if the author is careful. */
  system(request: number): string
  /** Called before each request. */
  beforeRequest(request: number): void
}

export interface AgentEnd {
  readonly calls: number
  readonly answer: string | undefined
  /** Streams that broke and were sent again. */
  readonly retries: number
  /** What the API said when it refused to go on. */
  readonly refusal: string | undefined
}

const tools: Anthropic.Tool[] = [
  {
    name: 'read_file',
    description: 'Reads one file of the project.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]

/** The plainest agent there is: the SDK, one tool, a loop. No memory layer, on purpose. */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  const client = new Anthropic({ apiKey: 'none needed', baseURL: options.url, maxRetries: 0 })
  const messages: MessageParam[] = [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }]
  let calls = 0
  let retries = 0
  for (let request = 1; ; request++) {
    options.beforeRequest(request)
    const reply = await ask(client, messages, request, options).catch((error: unknown) => error as Error)
    if (reply instanceof Anthropic.BadRequestError) {
      return { calls, retries, answer: undefined, refusal: reply.apiMessage ?? reply.message }
    }
    if (reply instanceof Error) {
      // A half answer is thrown away whole: the conversation is still as it was before the request.
      retries += 1
      if (retries > 3) throw reply
      continue
    }
    messages.push({ role: 'assistant', content: reply.content })
    const results = await runTools(reply, options.folder)
    if (results.length === 0) return { calls, retries, answer: textOf(reply), refusal: undefined }
    calls += results.length
    messages.push({ role: 'user', content: results })
  }
}

function ask(client: Anthropic, messages: MessageParam[], request: number, options: AgentOptions) {
  const text = options.system(request)
  return client.messages
    .stream({
      model: options.model,
      max_tokens: 4_000,
      system: [{ type: 'text', text, ...(options.marks && { cache_control: { type: 'ephemeral' } }) }],
      tools,
      messages: options.marks ? markLast(messages) : messages,
    })
    .finalMessage()
}

/** The marker moves with the end of the conversation; it is never left behind on an old message. */
function markLast(messages: readonly MessageParam[]): MessageParam[] {
  const blocks = (messages.at(-1)?.content ?? []) as Block[]
  const marked = { ...(blocks.at(-1) as Anthropic.TextBlockParam), cache_control: { type: 'ephemeral' as const } }
  return [...messages.slice(0, -1), { role: 'user', content: [...blocks.slice(0, -1), marked] }]
}

async function runTools(reply: Anthropic.Message, folder: string): Promise<Anthropic.ToolResultBlockParam[]> {
  const uses = reply.content.filter((block) => block.type === 'tool_use')
  return Promise.all(
    uses.map(async ({ id, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: await readProjectFile(folder, (input as { path: string }).path),
    })),
  )
}

function textOf(reply: Anthropic.Message): string {
  return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
