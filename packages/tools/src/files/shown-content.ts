import type { Block } from '@nacre/core'
import { MOST_CHARACTERS, type Part } from './part.js'
import { showImage } from './show-image.js'
import { isNotebook, showNotebook } from './show-notebook.js'
import { isPdf, showPdf } from './show-pdf.js'
import { showText } from './show-text.js'
import { textFormat } from './text-format.js'

/** A file as the model reads it, by what it holds and not by its name alone. */
export async function shownContent(path: string, bytes: Buffer, part: Part): Promise<readonly Block[]> {
  if (bytes.length === 0) return [{ type: 'text', text: `${path} exists and is empty.` }]
  const image = showImage(path, bytes)
  if (image) return image
  if (isPdf(bytes)) return within(path, await showPdf(path, bytes, part.pages), 'pages')
  if (isNotebook(path, part)) {
    const cells = showNotebook(bytes)
    if (cells) return within(path, cells, 'offset and limit, which give its lines as they are on disk')
  }
  if (!textFormat(bytes)) {
    throw new Error(`${path} is a binary file of ${bytes.length} bytes, which can not be shown as text.`)
  }
  return [{ type: 'text', text: showText(path, bytes, part) }]
}

function within(path: string, blocks: readonly Block[], by: string): readonly Block[] {
  const size = blocks.reduce((sum, block) => sum + (block.type === 'text' ? String(block.text).length : 0), 0)
  if (size <= MOST_CHARACTERS) return blocks
  throw new Error(`${path} has ${size} characters here, and at most ${MOST_CHARACTERS} can be read. Use ${by}.`)
}
