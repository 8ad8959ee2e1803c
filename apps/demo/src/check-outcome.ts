import { type AgentBill, LAYERS, layerWords, type Outcome, type Run } from './outcome/outcome.js'

/** What the demo claims has to be so: a claim that does not hold, or a layer that did not fire, makes it fail. */
export function checkOutcome(outcome: Outcome): void {
  for (const layer of LAYERS) {
    const fired = outcome.firings.some((firing) => firing.layer === layer)
    if (!fired) throw new Error(`The layer '${layerWords[layer].name}' of ${layerWords[layer].package} did not fire.`)
  }
  checkFreed(outcome)
  checkFolds(outcome)
  checkByHand(outcome)
  checkMemory(outcome)
  checkAgents(outcome)
  checkRuns(outcome)
}

function checkFreed({ firings }: Outcome): void {
  for (const { layer, freed, fromCache, text } of firings) {
    if (['stored', 'cleared', 'free', 'full', 'digest'].includes(layer)) claim(freed > 0, `it frees something: ${text}`)
    if (fromCache !== undefined) claim(fromCache > 0.5, `what is asked beside the work shares its cache: ${text}`)
  }
}

function checkFolds({ firings }: Outcome): void {
  for (const { layer, receipt } of firings) {
    if (layer === 'free') claim(receipt?.dollars.spent === 0, 'a compaction by notes asks no model')
    if (layer === 'digest') claim(receipt?.dollars.spent === 0, 'a digest asks no model')
  }
  const full = firings.find(({ layer }) => layer === 'full')?.receipt
  claim(full !== undefined && full.dollars.spent > 0, 'a summary costs what the model asks for it')
  claim(
    full.restored.some(({ owner, what }) => owner === 'files' && what.endsWith('coupons.mjs')),
    'the file last worked on is back in view after a full compaction',
  )
  claim(full.checks.length > 0 && full.checks.every(({ ok }) => ok), 'a summary is checked, and passes')
}

function checkByHand({ byHand: { isUndone, isOutOfView, recalled, killed, verified } }: Outcome): void {
  claim(isUndone, 'an undo gives back the very bytes')
  claim(isOutOfView, 'what is looked up was out of view')
  claim(/typed AUTUMN .*ten at night on the 24th/.test(recalled), 'what is out of view can be looked up, word for word')
  claim(killed.sent > 0 && killed.same === killed.sent, 'a resume gives back the very bytes')
  claim(verified.isWhole, `nacre verify finds the session whole: ${verified.requests}`)
}

function checkMemory({ memory: { extracted, isBroughtBack, isLeftOut, dream, undo } }: Outcome): void {
  claim(
    extracted.some(({ statement, quote }) => /never deploys/.test(statement) && quote.startsWith('We never deploy')),
    'what the person lets drop is extracted, with their own words as evidence',
  )
  claim(isBroughtBack, 'the next session is sent the memory with a prompt that it fits')
  claim(isLeftOut, 'a prompt that a memory does not fit is sent without it')
  claim(
    dream.merged === 1 && /merged into/.test(dream.receipt),
    'a dream merges two memories that say the same, and tells',
  )
  claim(
    dream.waiting.length === 1 && dream.waiting.every((reason) => /contradict each other/.test(reason)),
    'a contradiction waits for the person',
  )
  claim(dream.facts > 0 && dream.kept === dream.facts, 'every fact from before the dream is in use or in the archive')
  claim(undo.changed > 0, 'the dream has changed files')
  claim(undo.same === undo.files, 'after the undo all memory files are what they were, to the byte')
}

function checkAgents({ agents: { forks, message, late, followed } }: Outcome): void {
  const [first, second] = forks.toSorted((one, other) => other.written - one.written)
  claim(first !== undefined && second !== undefined && forks.length === 2, 'two forks are at work')
  claim(first.written > 0 && second.written === 0, 'of two forks one writes what they share to the cache')
  claim(second.read === first.read + first.written, 'the other fork reads all that the first one has read and written')
  // Not the one that is late: on a slow machine its deadline may cut off a request that is billed all the same.
  const bills: readonly AgentBill[] = [...forks, followed.bill]
  for (const { name, counted, dollars } of bills)
    claim(dollars > 0 && Math.abs(counted - dollars) < 1e-9, `the session counts for ${name} what the bill says`)
  claim(message.heardAt > 1, 'a message reaches an agent that runs')
  claim(/^Understood: .*AUTUMN/.test(message.reply), 'an agent that was written to writes back')
  // Timers and clocks differ by a millisecond or two.
  claim(late.lived > 0.9 * late.deadline, 'an agent has the time that it was given')
  claim(/did not finish: its deadline of \d+ s has passed/.test(late.result), 'an agent that is late says so')
  claim(followed.isStartFolded, 'the call that started the agent is folded by the compaction')
  claim(followed.isNamed, 'the view names the agent that runs after the compaction')
  claim(followed.starts === 1, 'a compaction starts no agent again')
  claim(
    followed.isRead && /orders with AUTUMN priced again: 0 orders are wrong/.test(followed.result),
    'the result of an agent is read after the compaction, and heeds the message',
  )
}

function checkRuns({ story, without, large }: Outcome): void {
  const [plain, ...added] = large
  claim(plain !== undefined, 'there is a run without layers in a large window')
  claim(/above the limit of .* nothing was sent/.test(without.refusal ?? ''), 'without layers the window is too small')
  claim(without.failed === 0, 'a request that has no room is refused before it is sent')
  claim(!without.isFixed, 'a run that stops fixes nothing')
  for (const run of [story, ...large]) {
    claim(run.refusal === undefined, `'${run.name}' comes to its end`)
    claim(run.isFixed, `'${run.name}' ends with tests that pass`)
    claim(run.requests === plain.requests, `'${run.name}' is the same work: as many requests`)
    claim(run.hitRate > 0.8, `'${run.name}' reads most of its input from the cache`)
  }
  claim(story.peak < story.window, 'with layers the window is never too small')
  claim(plain.peak > 2 * story.window, 'the work needs more than twice the small window')
  const bills: readonly Run[] = [plain, ...added]
  for (const [index, run] of added.entries())
    claim(run.dollars < (bills[index]?.dollars ?? 0), `'${run.name}' costs less than the run before it`)
}

function claim(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(`What the demo says is not so: ${words}.`)
}
