import type { Entry } from '../types/log.js'

const STEM_LENGTH = 100

/** A file name that is safe everywhere; `number` tells blobs apart that were put under the same name. */
export function blobName(name: string, number = 1): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '')
  const dot = safe.lastIndexOf('.')
  const extension = dot > 0 && safe.length - dot <= 10 ? safe.slice(dot) : ''
  const stem = safe.slice(0, safe.length - extension.length).slice(0, STEM_LENGTH) || 'blob'
  // Windows opens a device for these, whatever the extension is.
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem)
  return `${isDevice ? 'blob-' : ''}${stem}${number === 1 ? '' : `-${number}`}${extension}`
}

/** Whether a name could have been made here; no other may be looked for in a folder. */
export function isBlobName(name: string): boolean {
  return /^\w[\w.-]{0,200}$/.test(name)
}

/** Whether an id is that of a session below another: lists leave those out, and they go with the one above them. */
export function isBelowAnother(id: string): boolean {
  return id.includes('//')
}

const TITLE_LENGTH = 80

/** The title that an entry gives to its session: core's own, or what a plugin keeps as `session-title`. */
export function statedTitle(entry: Entry): string | undefined {
  if (entry.kind !== 'state') return undefined
  const isTitle = entry.key === (entry.owner === 'core' ? 'title' : 'session-title')
  return isTitle && typeof entry.value === 'string' ? oneLine(entry.value) : undefined
}

/** What the user said in an entry: the title of a session that was given none. */
export function promptTitle(entry: Entry): string | undefined {
  if (entry.kind !== 'user' || entry.isMeta) return undefined
  const block = entry.content.find(
    ({ type, text }) => type === 'text' && typeof text === 'string' && text.trim() !== '',
  )
  return block === undefined ? undefined : oneLine(block.text as string)
}

function oneLine(text: string): string {
  const line = text
    .trim()
    .slice(0, TITLE_LENGTH * 10)
    .replace(/\s+/g, ' ')
  // By characters: half of a surrogate pair can be shown nowhere.
  return Array.from(line).slice(0, TITLE_LENGTH).join('').trim()
}
