/**
 * A path as its bytes, one character for each: it sorts as ripgrep sorts, and a name that is not UTF-8 survives.
 * Folders are divided by '/'.
 */
export type BytePath = string

/** The bytes of a path, for the file system. */
export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1')
}

/** A path of text as a byte path. */
export function bytePath(text: string): BytePath {
  return isPlain(text) ? text : Buffer.from(text).toString('latin1')
}

/** The text of a byte path. Bytes that are not UTF-8 become replacement characters. */
export function pathText(path: BytePath): string {
  return isPlain(path) ? path : pathBytes(path).toString()
}

/** A key by which paths sort folder by folder, so that `a/b` stands before `a.b`. */
export function sortKey(path: BytePath): string {
  return path.replaceAll('/', '\0')
}

/** As people and models read it: quoted where a line end or another control character would mislead. */
export function shownPath(text: string): string {
  return /^\s|\s$|\p{Cc}/u.test(text) ? JSON.stringify(text) : text
}

function isPlain(path: string): boolean {
  return !/[^\0-\x7f]/.test(path)
}
