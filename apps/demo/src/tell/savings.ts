import type { Run, Told } from '../play/told.js'
import { count, money, percent } from './figures.js'

/** What it all comes to, in sentences whose figures were measured. */
export function savings({ story, without, large, firings }: Told): readonly string[] {
  const [plain, ...added] = large as readonly [Run, ...Run[]]
  const folds = firings.filter(({ layer, request }) => layer === 'free' && request <= story.requests).length
  return [
    `Without layers a window of ${count(without.window)} tokens is too small: the API refuses request ${without.requests + 1} of ${plain.requests}, and the bug stays.`,
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
