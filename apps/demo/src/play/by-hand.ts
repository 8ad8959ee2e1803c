import type { Session } from '@nacre/core'
import { ASKED_FOR, INSTRUCTIONS, QUESTION, THANKS } from '../story/story.js'
import type { Narrator } from '../tell/narrator.js'
import { ask } from './ask.js'
import { extendsBody } from './extends-body.js'
import type { Stage } from './stage.js'
import type { ByHand } from './told.js'

/** Folds by a summary, takes that back, folds with the network cut, and asks for what is out of view. */
export async function playByHand(
  session: Session,
  stage: Stage,
  narrator: Narrator,
): Promise<Pick<ByHand, 'isUndone' | 'isOutOfView' | 'recalled'>> {
  const before = stage.bodies.at(-1)
  narrator.command(`/compact ${INSTRUCTIONS}`)
  const undo = await fold(session, narrator)
  narrator.command('/undo')
  await session.undo({ edit: undo })
  await ask(session, THANKS, narrator)
  const isUndone = extendsBody(stage.bodies.at(-1), before)

  narrator.command(`/compact ${INSTRUCTIONS}`, 'with the network cut')
  const mend = stage.simulator.faults.add({ kind: 'reset', probability: 1 })
  await fold(session, narrator)
  mend()
  const asked = stage.bodies.length
  const { answer } = await ask(session, QUESTION, narrator)
  const isOutOfView = stage.bodies[asked]?.includes(ASKED_FOR) === false
  return { isUndone, isOutOfView, recalled: answer }
}

async function fold(session: Session, narrator: Narrator): Promise<string> {
  const outcome = await session.compact({ instructions: INSTRUCTIONS })
  if ('refused' in outcome) throw new Error(`The compaction was refused: ${outcome.refused}`)
  await narrator.flush()
  return outcome.receipt.undo
}
