import { strict as assert } from 'node:assert'
import { LAYERS, type Run, type Told } from './play/told.js'
import { layerWords } from './tell/layer-words.js'

/** What the demo claims has to be so: a claim that does not hold, or a layer that did not fire, makes it fail. */
export function checkTold(told: Told): void {
  for (const layer of LAYERS) {
    const fired = told.firings.some((firing) => firing.layer === layer)
    assert(fired, `The layer '${layerWords[layer].name}' of ${layerWords[layer].package} did not fire.`)
  }
  checkFreed(told)
  checkFolds(told)
  checkByHand(told)
  checkRuns(told)
}

function checkFreed({ firings }: Told): void {
  for (const { layer, freed, text } of firings) {
    if (['stored', 'cleared', 'free', 'full', 'digest'].includes(layer)) assert(freed > 0, `It freed nothing: ${text}`)
  }
}

function checkFolds({ firings }: Told): void {
  for (const { layer, receipt } of firings) {
    if (layer === 'free') assert.equal(receipt?.dollars.spent, 0, 'a compaction by notes is free')
    if (layer === 'digest') assert.equal(receipt?.dollars.spent, 0, 'a digest is free')
  }
  const full = firings.find(({ layer }) => layer === 'full')?.receipt
  assert(full && full.dollars.spent > 0, 'a summary costs what the model asks for it')
  assert(
    full.restored.some(({ owner, what }) => owner === 'files' && what.endsWith('coupons.mjs')),
    'the file last worked on is back in view after a full compaction',
  )
  assert(full.checks.length > 0, 'a summary is checked')
}

function checkByHand({ byHand: { isUndone, recalled, killed, verified } }: Told): void {
  assert(isUndone, 'an undo gives back the very bytes')
  assert.match(
    recalled,
    /typed AUTUMN .*ten at night on the 24th/,
    'what is out of view can be looked up, word for word',
  )
  assert(killed.sent > 0 && killed.same === killed.sent, 'a resume gives back the very bytes')
  assert(verified.isWhole, `nacre verify finds the session whole: ${verified.requests}`)
}

function checkRuns({ story, without, large }: Told): void {
  const [plain, ...added] = large
  assert(plain, 'there is a run without layers in a large window')
  assert.match(without.refusal ?? 'none', /prompt is too long/, 'without layers the window is too small')
  assert(!without.isFixed, 'a run that stops fixes nothing')
  for (const run of [story, ...large]) {
    assert.equal(run.refusal, undefined, `'${run.name}' comes to its end`)
    assert(run.isFixed, `'${run.name}' ends with tests that pass`)
    assert(run.hitRate > 0.8, `'${run.name}' reads most of its input from the cache`)
  }
  assert(story.peak < story.window, 'with layers the window is never too small')
  assert(plain.peak > story.window, 'the work does not fit into the small window')
  const bills: readonly Run[] = [plain, ...added]
  for (const [index, run] of added.entries())
    assert(run.dollars < (bills[index]?.dollars ?? 0), `'${run.name}' costs less`)
}
