const BREAKS = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const LENGTH = 200
/** The frames of a digest and of what stands beside it in a fold. */
const FRAMES = /<(?=\/?(?:work_ledger|last_answers|assistant_text|earlier|user_message)\b)/gi

/** Text from outside as one short line that can neither break nor leave its frame. */
export function oneLine(text: string, length = LENGTH): string {
  const line = harmless(text).replace(BREAKS, ' ').trim()
  return line.length <= length ? line : `${[...line.slice(0, length)].slice(0, -1).join('')}…`
}

/** Text that can not begin or end a frame; twice is the same as once. */
export function harmless(text: string): string {
  return text.replace(FRAMES, '<\\')
}
