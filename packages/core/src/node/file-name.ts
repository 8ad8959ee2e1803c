/** A file name for any id, one for one. Dots are coded too, so no id can climb out of its folder. */
export function toFileName(id: string): string {
  return encodeURIComponent(id).replace(/[.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The id that a file name stands for; `undefined` if it was not made here. */
export function fromFileName(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name)
    return toFileName(id) === name ? id : undefined
  } catch {
    return undefined
  }
}
