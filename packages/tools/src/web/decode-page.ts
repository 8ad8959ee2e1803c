import iconv from 'iconv-lite'

const MARKED = 4_096

/** The text of a page: by its byte order mark, by the header, by what an HTML or XML page says of itself, else UTF-8. */
export function decodePage(bytes: Buffer, contentType: string, isMarkup: boolean): string {
  const charset = markedBy(bytes) ?? named(contentType) ?? (isMarkup ? ownName(bytes) : undefined) ?? 'utf-8'
  return iconv.decode(bytes, charset)
}

/** A page whose name for its encoding can be read byte by byte is in none of two bytes. */
function ownName(bytes: Buffer): string | undefined {
  const charset = named(bytes.toString('latin1', 0, MARKED))
  return charset && /^(?:utf-?16|utf-?32|ucs)/i.test(charset) ? undefined : charset
}

function markedBy(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function named(text: string): string | undefined {
  const charset = /(?:charset|<\?xml[^>]*encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
  return charset !== undefined && iconv.encodingExists(charset) ? charset : undefined
}
