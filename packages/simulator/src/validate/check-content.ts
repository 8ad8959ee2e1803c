import { invalid } from '../api-error.js'
import type { Block, Message } from '../wire.js'

/** No empty messages, no empty text; and what newer versions of the API no longer take. */
export function checkContent(messages: readonly Message[], system: readonly Block[], version: string): void {
  system.forEach((block, index) => {
    checkText(block, () => `system.${index}`, 'system')
  })
  for (let number = 0; number < messages.length; number++) {
    const message = messages[number] as Message
    const isLast = number === messages.length - 1
    if (message.content.length === 0 && !mayBeEmpty(message, isLast)) {
      throw invalid(
        `messages.${number}: all messages must have non-empty content except for the optional final assistant message`,
      )
    }
    checkBlocks(message, number, version === '2026-10-21')
  }
}

function checkBlocks(message: Message, number: number, isNew: boolean): void {
  for (let index = 0; index < message.content.length; index++) {
    const block = message.content[index] as Block
    // Made into text only for an error: a path for each block would cost more than the checks.
    const path = () => `messages.${number}.content.${index}`
    checkText(block, path, 'messages')
    if (message.clear_at === 'next_user_message') checkPassing(block, path())
    if (isNew) checkRemoved(block, message, path)
  }
}

/** What is soon gone can be neither a change of tools nor the end of a cached prefix. */
function checkPassing(block: Block, path: string): void {
  if (block.type !== 'text') throw invalid(`${path}: a message with \`clear_at\` can only hold text`)
  if (block.cache_control) throw invalid(`${path}.text.cache_control: not permitted in a message with \`clear_at\``)
}

function mayBeEmpty(message: Message, isLast: boolean): boolean {
  if (message.role === 'system') return message.output_config?.effort != null
  return message.role === 'assistant' && isLast
}

function checkText(block: Block, path: () => string, level: string): void {
  if (block.type === 'text') {
    const text = block.text as string
    if (text === '') {
      if (block.cache_control) throw invalid(`${path()}: cache_control cannot be set for empty text blocks`)
      throw invalid(`${level}: text content blocks must be non-empty`)
    }
    if (text.trim() === '') throw invalid(`${level}: text content blocks must contain non-whitespace text`)
  }
  if (block.type === 'tool_result' && Array.isArray(block.content)) {
    ;(block.content as Block[]).forEach((inner, index) => {
      checkText(inner, () => `${path()}.content.${index}`, level)
    })
  }
}

function checkRemoved(block: Block, message: Message, path: () => string): void {
  if (message.role === 'assistant' && block.type === 'document') {
    throw invalid(`${path()}: \`document\` blocks are not permitted in \`assistant\` messages`)
  }
  if (
    message.role === 'user' &&
    block.type === 'text' &&
    Array.isArray(block.citations) &&
    block.citations.length > 0
  ) {
    throw invalid(`${path()}.text.citations: \`citations\` are not permitted in \`user\` messages`)
  }
}
