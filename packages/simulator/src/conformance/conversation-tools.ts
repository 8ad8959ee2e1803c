interface Call {
  readonly path: string
  readonly lines?: number
  readonly hang?: boolean
}

interface Running {
  readonly signal: AbortSignal
}

const hung = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

/** The tools of a generated conversation: one that only looks, and one that wants to be alone and may hang. */
export function conversationTools() {
  const schema = (properties: object) => ({
    json: { type: 'object', properties, required: ['path'] },
    parse: (input: unknown) => input as Call,
  })
  const path = { type: 'string' }
  return [
    {
      name: 'look',
      description: 'Shows the lines of a file.',
      schema: schema({ path, lines: { type: 'integer' } }),
      isCompactable: true,
      isReadOnly: () => true,
      isConcurrencySafe: () => true,
      run: ({ path: file, lines = 1 }: Call) =>
        text(
          Array.from(
            { length: lines },
            (_, line) => `${file}:${line + 1}: const value${line} = load(${line * 7})`,
          ).join('\n'),
        ),
    },
    {
      name: 'change',
      description: 'Changes a file.',
      schema: schema({ path, hang: { type: 'boolean' } }),
      isReadOnly: () => false,
      isConcurrencySafe: () => false,
      run: ({ path: file, hang }: Call, { signal }: Running) => (hang ? hung(signal) : text(`Changed ${file}.`)),
    },
  ]
}
