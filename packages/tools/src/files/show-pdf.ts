import type { Block } from '@nacre/core'

const PAGES = 20
const MARK = '%PDF-'

export function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_024).includes(MARK)
}

/** The text of a document, page by page. */
export async function showPdf(path: string, bytes: Buffer, pages: string | undefined): Promise<readonly Block[]> {
  const texts = await pagesOf(path, bytes)
  const total = texts.length
  const { first, last } = rangeOf(pages, total)
  if (first > total) throw new Error(`${path} has ${total} pages: there is no page ${first}.`)
  const shown = texts.slice(first - 1, last).map((text, index) => {
    return `--- page ${first + index} of ${total} ---\n${text.trim() || '(no text on this page)'}`
  })
  const end = Math.min(last, total)
  const rest = end < total ? [`(Pages ${first} to ${end} of ${total}. Use pages for the others.)`] : []
  return [{ type: 'text', text: [...shown, ...rest].join('\n\n') }]
}

/** The library is large, and most sessions read no document. */
async function pagesOf(path: string, bytes: Buffer): Promise<readonly string[]> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  try {
    // It keeps the bytes for itself, so it gets a copy; its warnings would go to the console.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    return (await extractText(document, { mergePages: false })).text
  } catch (error) {
    throw new Error(`${path} could not be read as a PDF: ${(error as Error).message}`)
  }
}

function rangeOf(pages: string | undefined, total: number): { readonly first: number; readonly last: number } {
  if (pages === undefined) return { first: 1, last: Math.min(PAGES, total) }
  const [first = 1, last = first] = pages.split('-').map(Number)
  if (last < first) throw new Error(`The pages ${pages} end before they begin.`)
  return { first, last: Math.min(last, first + PAGES - 1) }
}
