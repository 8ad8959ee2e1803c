/** The messages of a body without their cache markers: what has to be the same from one request to the next. */
export function unmarked(body: string): string {
  const { messages } = JSON.parse(body) as { readonly messages: unknown }
  return JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
}
