import { strict as assert } from 'node:assert'
import type { CompactChapter } from './compact/compact-chapter.js'
import type { NotesChapter } from './notes/notes-chapter.js'
import type { ResultsChapter } from './results/results-chapter.js'
import { type Run, SMALL_WINDOW, variants } from './runs.js'
import type { Chapter } from './session/chapter.js'
import { CALLS } from './story.js'

/** What the demo claims has to be so: any claim that does not hold makes it fail. */
export function checkClaims(runs: readonly Run[]): void {
  const [plain, marked, clock, newAccount, idle, cut, small] = runs
  assert(plain && marked && clock && newAccount && idle && cut && small && runs.length === variants.length)
  for (const run of [plain, marked, clock, idle, cut])
    assert.equal(run.end.calls, CALLS, `${run.variant.name}: all files read`)
  assert.equal(plain.totals.hitRate, 0, 'nothing is cached without a marker')
  assert(marked.totals.hitRate > 0.8, 'with markers most of the input is read from the cache')
  assert(marked.totals.dollars < plain.totals.dollars / 3, 'markers cut the cost to less than a third')
  assert(
    clock.totals.hitRate < 0.1 && clock.totals.dollars > plain.totals.dollars,
    'a changing prefix is dearer than no markers',
  )
  assert.match(newAccount.end.refusal ?? '', /bound to a different conversation/)
  assert(idle.totals.write5m > marked.totals.write5m, 'what expired is written again')
  assert.equal(cut.end.retries, 1, 'one stream broke')
  assert(cut.totals.dollars < marked.totals.dollars * 1.5, 'a retry reads what the broken request wrote')
  assert.match(small.end.refusal ?? '', new RegExp(`prompt is too long: \\d+ tokens > ${SMALL_WINDOW} maximum`))
}

/** The same for the session. */
export function checkChapter({ reproduced, edit, isUndone, breaks, cost, requests }: Chapter): void {
  assert(reproduced.sent > 0 && reproduced.same === reproduced.sent, 'every request before the kill is in the log')
  assert(edit.price.freed > 0 && edit.price.dollars > 0, 'an edit has a price')
  assert(isUndone, 'an undo gives back the very bytes')
  assert(
    breaks.length > 0 && breaks.every(({ cause, owner }) => cause === 'edit' && owner !== 'server'),
    'breaks are blamed',
  )
  assert(cost.hitRate > 0.6 && cost.requests <= requests, 'the cost is that of all answered requests')
}

/** The same for the huge result. */
export function checkResults({ bytes, unseen, file, answer, isSame }: ResultsChapter): void {
  assert(bytes.given > 5_000_000 && bytes.shown < 2_500, 'a huge result enters the view as a preview')
  assert.match(unseen, /^lines \d+-\d+$/, 'the preview says what was not seen')
  assert(file.isWhole, 'the file is whole')
  // Windows has no such modes.
  if (process.platform !== 'win32') assert.equal(file.mode, 0o600, 'only its owner reads it')
  assert(bytes.log < 50_000, 'the text is not in the log')
  assert.match(answer, /line 41337 of the log/, 'the model finds what it has not seen')
  assert(isSame, 'the same bytes after a resume')
}

/** The same for the conversation that would not have fitted. */
export function checkCompaction({ cleared, receipt, tickets, isUndone, recalled, digest }: CompactChapter): void {
  assert(cleared.results > 10 && cleared.tokens > 10_000, 'old results are cleared')
  assert.match(cleared.line, /PLANT-\d+/, 'what stands for a result names what is exact in it')
  assert(cleared.dollars.with < cleared.dollars.without, 'clearing pays')
  assert.equal(receipt.rung, 'summary', 'the model sums up')
  assert(receipt.tokens.after < receipt.tokens.before, 'a compaction frees something')
  assert(receipt.checks.length > 0, 'a summary is checked')
  assert(tickets.inView > tickets.all / 2, 'most exact names are in view after a compaction')
  assert(isUndone, 'an undo of a compaction gives back the very bytes')
  assert.match(recalled, /the pump in hall \d stopped by itself/, 'what is not in view can be looked up')
  assert.equal(digest.rung, 'digest', 'without a network a digest stands in')
}

/** The same for the shift with notes. */
export function checkNotes({ updates, cost, receipts, summaries, covers }: NotesChapter): void {
  assert(updates > 2, 'notes are kept all the time')
  assert(cost.hitRate > 0.8, 'an update reads what the conversation has just sent')
  assert(receipts.length > 0, 'the window was full')
  assert(
    receipts.every(({ rung, dollars }) => rung === 'notes' && dollars.spent === 0),
    'each compaction is by the notes, for nothing',
  )
  assert.equal(summaries, 0, 'a compaction by notes needs no model call')
  assert.match(covers, /^Covers up to turn \d+/, 'the notes say how far they go')
}
