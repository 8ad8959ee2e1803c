/** A block by its place in a request, as the API names it. */
export interface BlockPath {
  readonly message: number
  readonly block: number
}

/** Reads `messages.N.content.M`, on its own or at the beginning of an error's text. */
export function blockPath(text: string): BlockPath | undefined {
  const found = /\bmessages\.(\d+)\.content\.(\d+)/.exec(text)
  return found ? { message: Number(found[1]), block: Number(found[2]) } : undefined
}
