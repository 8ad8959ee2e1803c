const LENGTH = 100

/** A file name that is safe everywhere; `number` tells blobs apart that were put under the same name. */
export function blobName(name: string, number = 1): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '')
  const dot = safe.lastIndexOf('.')
  const extension = dot > 0 && safe.length - dot <= 10 ? safe.slice(dot) : ''
  const stem = safe.slice(0, safe.length - extension.length).slice(0, LENGTH) || 'blob'
  // Windows opens a device for these, whatever the extension is.
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem)
  return `${isDevice ? 'blob-' : ''}${stem}${number === 1 ? '' : `-${number}`}${extension}`
}

/** Whether a name could have been made here; no other may be looked for in a folder. */
export function isBlobName(name: string): boolean {
  return /^\w[\w.-]{0,200}$/.test(name)
}
