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

/** Merges messages of one role that stand in a row. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: { role: Role; parts: Part[]; message: number }[] = []
  messages.forEach((message, number) => {
    let turn = turns.at(-1)
    if (turn?.role !== message.role) {
      turn = { role: message.role, parts: [], message: number }
      turns.push(turn)
    }
    for (let index = 0; index < message.content.length; index++) {
      const block = message.content[index]
      if (block) turn.parts.push({ role: message.role, block, message: number, index })
    }
  })
  return turns
}
