import { type Block, type Draft, estimateBlock, type MessageEntry, type Round, type Span, type View } from '@nacre/core'

/** Folded, or answered with a result for each call: only such a round can be in a span. */
export function isComplete({ entries, content }: Round): boolean {
  if (content) return true
  const blocks = entries.flatMap((entry) => entry.content)
  const answered = new Set(blocks.map(({ tool_use_id }) => tool_use_id))
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  return entries.some(({ kind }) => kind === 'assistant') && calls.every(({ id }) => answered.has(id))
}

/** Neighbouring rounds as one span; `undefined` where there are none. */
export function spanOf(rounds: readonly Round[]): Span | undefined {
  const [first] = rounds
  const last = rounds.at(-1)
  return first && last && { from: first.span.from, to: last.span.to }
}

/** The round in which a person spoke last; -1 where nobody has in what is still whole. */
export function lastPromptRound(rounds: readonly Round[]): number {
  return rounds.findLastIndex(({ entries }) => entries.some(isPrompt))
}

/** Whether a person said it: neither a result of a call nor words of the runtime. */
export function isPrompt(entry: MessageEntry): boolean {
  return entry.kind === 'user' && !entry.isMeta && entry.content.some(({ type }) => type !== 'tool_result')
}

/** How a round begins as it is shown: what was said, or else what was called. */
export function roundWords(view: View, { entries, content }: Round): string {
  if (content) return `(in its place) ${textsIn(content).join(' ')}`
  const prompt = entries.find(isPrompt)
  if (prompt) return `> ${textsIn(shownBlocks(view, prompt)).join(' ') || '(no text)'}`
  const blocks = entries.flatMap((entry) => (entry.kind === 'assistant' ? shownBlocks(view, entry) : []))
  return blocks.flatMap(wordsOf).join(' ') || '(no text)'
}

function wordsOf(block: Block): string[] {
  return block.type === 'tool_use' ? [`${block.name}(${JSON.stringify(block.input)})`] : textsIn([block])
}

/** What the view shows of an entry: where a block was replaced or redacted, what stands in its place. */
export function shownBlocks(view: View, { id, content }: MessageEntry): readonly Block[] {
  return content.flatMap((_, block) => view.shown({ entry: id, block }))
}

/** The words among blocks: no calls, no results, no thinking. */
export function textsIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
}

/** Estimated tokens of what a draft puts in place of its span. */
export function estimateFold({ changes }: Draft): number {
  const content = changes.flatMap((change) => (change.kind === 'fold' ? change.content : []))
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}

/**
 * Every text of rounds: words, inputs, results, and what stands for what was folded. What was cleared counts as it was
 * and as it is shown: a summary may be made of either.
 */
export function roundTexts(view: View, rounds: readonly Round[]): string[] {
  return rounds.flatMap(({ entries, content = [] }) => [
    ...content.flatMap(texts),
    ...entries.flatMap(({ id, content: blocks }) =>
      blocks.flatMap((block, index) => {
        const target = { entry: id, block: index }
        return [block, ...(view.shows(target) === 'changed' ? view.shown(target) : [])].flatMap(texts)
      }),
    ),
  ])
}

function texts({ type, text, input, content }: Block): string[] {
  if (type === 'text') return [String(text)]
  if (type === 'tool_use') return strings(input)
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? (content as Block[]).flatMap(texts) : []
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
