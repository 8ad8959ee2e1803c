import type { Block, Message, Role } from '../wire.js'

/** A block of a message, with its place in the request as it was sent. */
export interface Part {
  readonly role: Role
  readonly block: Block
  readonly message: number
  readonly index: number
}

/** Messages of one role in a row: to the API they are one turn. */
export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  /** The index of the first message in it. */
  readonly message: number
}

export function pathOf(part: Part): string {
  return `messages.${part.message}.content.${part.index}`
}

/** Every block of a request in order. */
export function partsOf(messages: readonly Message[]): Part[] {
  const parts: Part[] = []
  messages.forEach((message, number) => {
    message.content.forEach((block, index) => {
      parts.push({ role: message.role, block, message: number, index })
    })
  })
  return parts
}

/** The blocks of a request, one by one and in turns. */
export interface Conversation {
  readonly turns: readonly Turn[]
  readonly parts: readonly Part[]
  /** The types of all blocks: a rule about one that is not among them need not look at each block. */
  readonly kinds: ReadonlySet<string>
}

/** Merges messages of one role that stand in a row. */
export function conversationOf(messages: readonly Message[]): Conversation {
  const turns: { role: Role; parts: Part[]; message: number }[] = []
  const parts: Part[] = []
  const kinds = new Set<string>()
  let turn: (typeof turns)[number] | undefined
  for (let number = 0; number < messages.length; number++) {
    const { role, content } = messages[number] as Message
    if (turn?.role !== role) {
      turn = { role, parts: [], message: number }
      turns.push(turn)
    }
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block
      const part = { role, block, message: number, index }
      turn.parts.push(part)
      parts.push(part)
      kinds.add(block.type)
    }
  }
  return { turns, parts, kinds }
}
