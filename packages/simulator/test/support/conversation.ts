/** A request that every model takes. */
export const hello = {
  model: 'claude-opus-5-5',
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content: 'Hello' }],
}

/** A tool as a request defines it. */
export const clock = { name: 'clock', description: 'Tells the time.', input_schema: { type: 'object' as const } }

/** A call of a tool, as a model replies with it. */
export const callOf = (name: string, input: Readonly<Record<string, string | number>> = {}) => ({
  type: 'tool_use' as const,
  name,
  input,
})

/** The texts of a message's blocks, joined. */
export function textOf(message: { readonly content: readonly { readonly type: string }[] }): string {
  return message.content.map((block) => ('text' in block ? String(block.text) : '')).join('')
}
