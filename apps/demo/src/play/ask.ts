import type { NacreError, Session } from '@nacre/core'
import type { Narrator } from '../tell/narrator.js'

/** How a query ended. */
export interface Asked {
  /** The last words of the model. */
  readonly answer: string
  readonly error?: NacreError
}

/** Asks, tells what happens meanwhile, and gives the answer. Without a prompt it goes on with what is unanswered. */
export async function ask(session: Session, prompt: string | undefined, narrator: Narrator): Promise<Asked> {
  let answer = ''
  let error: NacreError | undefined
  if (prompt !== undefined) narrator.prompt(prompt)
  for await (const event of session.query(prompt)) {
    if (event.type === 'response') answer = event.entry.content.map(({ text }) => text ?? '').join('')
    if (event.type === 'recovery' && event.kind === 'retry') narrator.retried(event.attempt, event.reason)
    if (event.type === 'end' && event.reason !== 'done') error = event.error
    await narrator.flush()
  }
  if (error) narrator.refused(error.message)
  else narrator.answer(answer)
  await narrator.flush()
  return { answer, ...(error && { error }) }
}
