import type { ChildSession, Model, Timer } from '@nacre/core'

const EVERY = 30_000
const WORDS = 5
const PROMPT = `Say in three to five words what you are doing right now, in the present tense, with the name of the file or thing that it is about, such as "Reading runAgent.ts" or "Fixing the login test". Only these words.`

interface SummaryOptions {
  readonly child: ChildSession
  readonly timer: Timer
  readonly signal: AbortSignal
  isOn(): boolean
  /** The cheapest one there is; the agent's own without it. */
  model(): Promise<Model | undefined>
  say(words: string): void
}

/** Tells every half minute what an agent does, in its own words; not again while nothing has happened. Gives the way to stop. */
export function summarise({ child, timer, signal, isOn, model, say }: SummaryOptions): () => void {
  const own = new AbortController()
  let hasNews = false
  let isOver = false
  let cancel = () => {}
  const stopListening = child.listen(({ type }) => {
    if (type === 'response' || type === 'tool-end') hasNews = true
  })
  const look = async () => {
    if (hasNews && isOn()) {
      hasNews = false
      const words = await ask().catch(() => '')
      if (words !== '' && !isOver) say(words)
    }
    if (!isOver) cancel = timer(EVERY, () => void look())
  }
  const ask = async () => {
    const cheap = await model().catch(() => undefined)
    const { text } = await child.fork({
      source: `${child.source}:summary`,
      prompt: [{ type: 'text', text: PROMPT }],
      maxTurns: 1,
      allow: () => false,
      isDetached: true,
      signal: own.signal,
      ...(cheap && { model: cheap }),
    })
    return shortened(text)
  }
  const stop = () => {
    isOver = true
    cancel()
    stopListening()
    own.abort()
    signal.removeEventListener('abort', stop)
  }
  cancel = timer(EVERY, () => void look())
  signal.addEventListener('abort', stop, { once: true })
  return stop
}

/** Models say more than they are asked for. */
export function shortened(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  const words = line.replace(/^["'“‘]+|["'”’.]+$/g, '').split(/\s+/)
  return words.slice(0, WORDS).join(' ')
}
