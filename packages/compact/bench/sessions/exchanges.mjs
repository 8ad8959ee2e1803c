/**
 * A session as it is replayed: what the person said, and the answers to it one after the other. All but the last answer
 * to a prompt call tools; `results` holds what each call gave, by its id.
 * @typedef {{ type: string, [key: string]: unknown }} Block
 * @typedef {{ content: string | readonly Block[], isError: boolean }} Result
 * @typedef {{ prompt: string, answers: Block[][] }} Exchange
 * @typedef {{ name: string, origin: 'recorded' | 'seeded', exchanges: Exchange[], results: Map<string, Result> }} Session
 * @typedef {{ role: 'user' | 'assistant', content: string | readonly Block[] }} Message
 */

const ENDED = [{ type: 'text', text: 'Done.' }]

/**
 * Brings messages as a program left them into the form of a replay. Thinking is left out, since its signatures are of
 * another account, and so are calls whose results were never recorded.
 * @param {readonly Message[]} messages
 * @returns {Pick<Session, 'exchanges' | 'results'>}
 */
export function toExchanges(messages) {
  const results = resultsOf(messages)
  /** @type {Exchange[]} */
  const exchanges = []
  for (const { role, content } of joined(messages)) {
    if (role === 'user') {
      const prompt = textsOf(content)
      if (prompt !== '') exchanges.push({ prompt, answers: [] })
      continue
    }
    const answer = content.filter(
      (block) => isSaid(block) || (block.type === 'tool_use' && results.has(String(block.id))),
    )
    if (answer.length > 0) exchanges.at(-1)?.answers.push(answer)
  }
  const answered = exchanges.filter(({ answers }) => answers.length > 0)
  return { exchanges: answered.flatMap(ended), results }
}

/** What was said behind results is a prompt of its own; an answer that was given in pieces is one. @param {readonly Message[]} messages */
function joined(messages) {
  /** @type {{ role: string, content: Block[] }[]} */
  const all = []
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const before = all.at(-1)
    if (role === 'assistant' && before?.role === role) before.content.push(...blocks)
    else all.push({ role, content: [...blocks] })
  }
  return all
}

/** @param {readonly Message[]} messages @returns {Map<string, Result>} */
function resultsOf(messages) {
  const blocks = messages.flatMap(({ role, content }) =>
    role === 'user' && typeof content !== 'string' ? content : [],
  )
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return new Map(
    results.map(({ tool_use_id, content, is_error }) => [
      String(tool_use_id),
      { content: /** @type {Result['content']} */ (content ?? ''), isError: is_error === true },
    ]),
  )
}

/** @param {Block} block */
function isSaid({ type, text }) {
  return type === 'text' && String(text).trim() !== ''
}

/** @param {readonly Block[]} content */
function textsOf(content) {
  return content
    .filter(isSaid)
    .map(({ text }) => String(text))
    .join('\n')
}

/**
 * An answer without calls ends an exchange, so one in the middle makes two of it, and one that was broken off behind its
 * calls gets an end.
 * @param {Exchange} exchange
 * @returns {Exchange[]}
 */
function ended({ prompt, answers }) {
  /** @type {Exchange[]} */
  const all = []
  let open = { prompt, answers: /** @type {Block[][]} */ ([]) }
  for (const answer of answers) {
    open.answers.push(answer)
    if (callsIn(answer)) continue
    all.push(open)
    open = { prompt: 'Go on.', answers: [] }
  }
  if (open.answers.length > 0) all.push({ ...open, answers: [...open.answers, ENDED] })
  return all
}

/** @param {readonly Block[]} answer */
function callsIn(answer) {
  return answer.some(({ type }) => type === 'tool_use')
}
