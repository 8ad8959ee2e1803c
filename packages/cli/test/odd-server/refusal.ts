interface Sent {
  readonly role?: unknown
  readonly content?: unknown
}

interface SentBlock {
  readonly type?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly text?: unknown
  readonly tool_use_id?: unknown
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Why the API would refuse a request, as far as an odd answer can bring that about; `undefined` for a good one. */
export function refusalOf(source: string): string | undefined {
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(source)) return 'half a surrogate pair'
  const { messages } = JSON.parse(source) as { readonly messages: readonly Sent[] }
  if (messages[0]?.role !== 'user') return `the first message is of ${messages[0]?.role}`
  const ids = new Set<unknown>()
  let open = new Set<unknown>()
  for (const [number, { role, content }] of messages.entries()) {
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly SentBlock[]
    if (!Array.isArray(blocks) || blocks.length === 0) return `message ${number} is empty`
    for (const block of blocks) {
      const wrong = blockProblem(block)
      if (wrong) return `message ${number}: ${wrong}`
    }
    if (role === 'user') {
      const answered = new Set(blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id))
      if (answered.size !== blocks.filter(({ type }) => type === 'tool_result').length) return 'two results of one call'
      for (const id of open) if (!answered.has(id)) return `call ${id} has no result`
      for (const id of answered) if (!open.has(id)) return `a result of ${id}, which was not called`
      open = new Set()
    } else if (role === 'assistant') {
      const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
      for (const id of calls) {
        if (ids.has(id)) return `two calls ${id}`
        ids.add(id)
        open.add(id)
      }
    } else if (open.size > 0) return 'a system message between a call and its result'
  }
  return open.size > 0 ? `call ${[...open][0]} has no result` : undefined
}

function blockProblem({ type, id, name, input, text }: SentBlock): string | undefined {
  if (typeof type !== 'string' || type === '') return 'a block without a type'
  if (type === 'text' && (typeof text !== 'string' || text.trim() === '')) return 'blank text'
  if (type !== 'tool_use') return undefined
  if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id)) return `the id ${JSON.stringify(id)}`
  if (typeof name !== 'string' || !NAME.test(name)) return `the name ${JSON.stringify(name)}`
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? undefined : 'input that is no object'
}
