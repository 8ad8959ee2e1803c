import { type Firing, LAYERS, type Layer, layerWords, type Outcome, type Run } from './outcome.js'

/** A count for people: `26,500`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Dollars to a hundredth of a cent: `$0.0412`. */
export function money(dollars: number): string {
  return `$${dollars.toFixed(4)}`
}

/** A share: `93%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** Why the work could not go on: the first sentence of what was said, without what can be done about it. */
export function causeOf(refusal: string): string {
  return refusal.replace(/(?<=\.) .*$/s, '')
}

/** What it all comes to, in sentences whose figures were measured. */
export function savings({ story, without, large, firings }: Outcome): readonly string[] {
  const [plain, ...added] = large as readonly [Run, ...Run[]]
  const folds = firings.filter(({ layer, request }) => layer === 'free' && request <= story.requests).length
  return [
    `Without layers a window of ${count(without.window)} tokens is too small: Nacre refuses request ${without.requests + 1} of ${plain.requests} before it is sent, and the bug stays.`,
    ...added.map(
      ({ name, dollars, peak }) =>
        `In a window of ${count(plain.window)}, the work with ${name} costs ${money(dollars)} instead of ${money(plain.dollars)} (${percent(1 - dollars / plain.dollars)} less), and its largest request has ${count(peak)} tokens instead of ${count(plain.peak)}.`,
    ),
    `With all layers the work is done in the small window, for ${money(story.dollars)}. Of that, ${money(story.beside)} is for the notes, thanks to which ${times(folds)} needed no model call.`,
  ]
}

function times(folds: number): string {
  return folds === 1 ? 'one compaction' : `${count(folds)} compactions`
}

/** Name, times fired, tokens freed, dollars and calls avoided of each layer, as words; what is nothing is left empty. */
export function layerCells(
  firings: readonly Firing[],
): readonly { readonly layer: Layer; readonly cells: readonly string[] }[] {
  const unlessZero = (value: number, words: (value: number) => string) => (value === 0 ? '' : words(value))
  return LAYERS.map((layer) => {
    const own = firings.filter((firing) => firing.layer === layer)
    const sum = (figure: (firing: Firing) => number) => own.reduce((total, firing) => total + figure(firing), 0)
    // An undo frees nothing: it brings back.
    const freed = Math.max(
      0,
      sum((firing) => firing.freed),
    )
    return {
      layer,
      cells: [
        layerWords[layer].name,
        count(own.length),
        unlessZero(freed, count),
        unlessZero(
          sum(({ dollars }) => dollars),
          money,
        ),
        unlessZero(
          sum(({ callsAvoided }) => callsAvoided),
          count,
        ),
      ],
    }
  })
}
