import type { Run, Told } from '../play/told.js'
import { count, money, percent } from './figures.js'
import { layerRows } from './layer-rows.js'

/** What it all comes to, in sentences whose figures were measured. */
export function savings({ story, without, large, firings }: Told): readonly string[] {
  const [plain, ...added] = large as readonly [Run, ...Run[]]
  const noted = layerRows(firings).find(({ layer }) => layer === 'noted')
  const free = layerRows(firings).find(({ layer }) => layer === 'free')
  return [
    `Without layers a window of ${count(without.window)} tokens is too small: the API refuses request ${without.requests + 1} of ${plain.requests}, and the bug stays.`,
    ...added.map(
      ({ name, dollars, peak }) =>
        `In a window of ${count(plain.window)}, ${name} costs ${money(dollars)} instead of ${money(plain.dollars)} (${percent(1 - dollars / plain.dollars)} less) and needs ${count(peak)} tokens instead of ${count(plain.peak)}.`,
    ),
    `With all layers the work is done in the small window for ${money(story.dollars)}. Of that ${money(noted?.dollars ?? 0)} went into the notes: they buy time rather than money, here ${times(free?.fired ?? 0)} for which nobody waited.`,
  ]
}

function times(folds: number): string {
  return folds === 1 ? 'one compaction' : `${count(folds)} compactions`
}
