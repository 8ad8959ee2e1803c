interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly [field: string]: unknown }[]
}

/** The messages of a body without their cache markers: what has to be the same from one request to the next. */
export function messagesOf(body: string | undefined): readonly Message[] {
  const { messages } = JSON.parse(body ?? '{"messages":[]}', (key, value) =>
    key === 'cache_control' ? undefined : value,
  ) as { readonly messages: readonly Message[] }
  return messages
}

/** The texts of the results in the last message of a body, in the order of their calls. */
export function resultsOf(body: string | undefined): readonly string[] {
  const results = messagesOf(body).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  )
  return results.map(({ content }) => textOf(content))
}

/** Whether a request says all that another one said, to the byte, and more. */
export function isExtension(longer: string | undefined, shorter: string | undefined): boolean {
  return JSON.stringify(messagesOf(longer)).startsWith(JSON.stringify(messagesOf(shorter)).slice(0, -1))
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n')
}
