import { decodePage } from './decode-page.js'
import { htmlToMarkdown } from './html-to-markdown.js'

export interface PageText {
  readonly title: string
  readonly text: string
}

const TEXT =
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript|ecmascript|typescript|yaml|x-yaml|toml|x-sh|x-ndjson|sql|graphql|rtf|x-httpd-php|json5|jsonl|ld\+json)$)/

/** What a page says, as Markdown or as it is. Throws, with a message for the model, for what is no text. */
export async function pageText(bytes: Buffer, contentType: string, url: URL): Promise<PageText> {
  const type = typeOf(bytes, contentType)
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    const { title, markdown } = htmlToMarkdown(decodePage(bytes, contentType, true), url)
    return { title, text: markdown }
  }
  if (type === 'application/pdf') return { title: '', text: await pdfText(bytes, url) }
  if (TEXT.test(type)) return { title: '', text: decodePage(bytes, contentType, /xml$/.test(type)) }
  // What a server writes there may be words for the model.
  const named = /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type) ? `of the type ${type}` : 'of no known type'
  throw new Error(`${url.href} is ${named}, which is no text and is not fetched.`)
}

function typeOf(bytes: Buffer, contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf'
  if (type !== '' && type !== 'application/octet-stream') return type
  if (bytes.includes(0)) return 'application/octet-stream'
  return /^\s*<(?:!doctype html|html)/i.test(bytes.toString('latin1', 0, 1_024)) ? 'text/html' : 'text/plain'
}

/** The library is large, and few pages are documents. */
async function pdfText(bytes: Buffer, url: URL): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const { text } = await extractText(document, { mergePages: false })
    return text
      .map((page, index) => `--- page ${index + 1} of ${text.length} ---\n${page.trim() || '(no text)'}`)
      .join('\n\n')
  } catch (error) {
    throw new Error(`${url.href} could not be read as a PDF: ${(error as Error).message}`)
  }
}
