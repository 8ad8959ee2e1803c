import { estimateText, type HookContext, type Prompt } from '@nacre/core'
import { contentText } from './content-text.js'
import { fitTexts } from './fit-texts.js'
import { keepText } from './keep-text.js'
import { shrinkingText } from './shrinking-text.js'
import type { StorageParts } from './storage-parts.js'

/** What a prompt may take of the context before it is too much, however long it is. */
const SHARE = 1 / 4

/** Puts long texts of a prompt away, the largest first. Decided once, when the prompt comes in. */
export async function preparePrompt(
  { store, sessionId, readTool, limits }: StorageParts,
  { content }: Prompt,
  context: HookContext,
): Promise<Prompt | undefined> {
  const { prompt, preview } = limits(context.view())
  const whole = contentText(content)
  if (whole.length <= prompt || estimateText(whole) < context.view().tokens.threshold * SHARE) return undefined
  const name = `pasted-text/${sessionId}/prompt`
  const items = content.map((block) => {
    if (block.type !== 'text') return { block, text: shrinkingText('') }
    const text = String(block.text)
    const keep = () => keepText(text, { store, name, preview, cutTo: prompt, readTool })
    return { block, text: shrinkingText(text, keep) }
  })
  const changed = await fitTexts(items, prompt)
  if (changed.length === 0) return undefined
  return { content: items.map(({ block, text }) => (text.logged() ? { ...block, text: text.shown() } : block)) }
}
