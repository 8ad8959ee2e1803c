const SHOWN = 80
const BEFORE = 20

/** Shows two texts from shortly before the place where they part. */
export function describeDifference(one = '(nothing)', other = '(nothing)'): string {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  return `${excerpt(one, same)} became ${excerpt(other, same)}`
}

function excerpt(text: string, place: number): string {
  const start = Math.max(0, place - BEFORE)
  const shown = text.slice(start, start + SHOWN)
  return `«${start > 0 ? '…' : ''}${shown}${start + SHOWN < text.length ? '…' : ''}»`
}
