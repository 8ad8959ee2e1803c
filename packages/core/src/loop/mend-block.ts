import type { Block } from '../types/log.js'
import { wellFormed } from '../well-formed.js'

/** A block of an answer as it can be sent back with every later request, and why it can not run if it is a call. */
export interface MendedBlock {
  readonly block: Block
  readonly problem?: string | undefined
}

/**
 * What a server said, in the form in which the API takes it back: one block that it refuses would make every later
 * request fail. `isTaken` tells which ids calls have already; `problem` is what the adapter could not read.
 */
export function mendBlock(
  answered: Block,
  problem: string | undefined,
  isTaken: (id: string) => boolean,
): MendedBlock | undefined {
  const block = wellFormed(answered)
  switch (block?.type) {
    case 'text':
      return typeof block.text === 'string' && block.text.trim() !== '' ? { block } : undefined
    case 'thinking': {
      const isWhole = typeof block.thinking === 'string' && typeof block.signature === 'string'
      return {
        block: isWhole ? block : { ...block, thinking: textOf(block.thinking), signature: textOf(block.signature) },
      }
    }
    case 'tool_use':
      return mendCall(block, problem, isTaken)
  }
  return typeof block?.type === 'string' && block.type !== '' ? { block } : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What the API takes as the name of a tool, and of a call. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const LONGEST_NAME = 64

function mendCall(block: Block, told: string | undefined, isTaken: (id: string) => boolean): MendedBlock {
  const id = freeId(textOf(block.id), isTaken)
  const isNamed = typeof block.name === 'string' && NAME.test(block.name)
  const name = isNamed ? block.name : plain(textOf(block.name)).slice(0, LONGEST_NAME) || 'unnamed'
  const isObject = typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input)
  const problem =
    told ??
    // A name that was mended may be that of another tool, which was not called.
    (isNamed
      ? undefined
      : `There is no tool ${JSON.stringify(block.name ?? '')}: names are letters, digits, _ and -.`) ??
    (isObject ? undefined : `The input of this call was no object, so it did not run: ${excerpt(block.input)}`)
  const isWhole = id === block.id && isNamed && isObject
  return { block: isWhole ? block : { ...block, id, name, input: isObject ? block.input : {} }, problem }
}

/** Two calls of one id would share a result, which the API refuses from then on. */
function freeId(wished: string, isTaken: (id: string) => boolean): string {
  const id = plain(wished) || 'call'
  if (!isTaken(id)) return id
  let number = 2
  while (isTaken(`${id}_${number}`)) number += 1
  return `${id}_${number}`
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_')
}

const LONGEST_EXCERPT = 300

function excerpt(input: unknown): string {
  const text = JSON.stringify(input) ?? 'nothing'
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)} …` : text
}
