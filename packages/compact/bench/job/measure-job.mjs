import { replay } from '../replay.mjs'
import { strategy } from '../strategies.mjs'
import { factsJob } from './facts-job.mjs'
import { perfectSummary } from './perfect-summary.mjs'

const READ_SHARE = 0.1

/**
 * What a strategy costs on the job, how many facts the last request still says, and how many the tool Recall finds.
 * @param {string} name
 * @param {{ job?: ReturnType<typeof factsJob>, window?: number }} [options]
 */
export async function measureJob(name, { job = factsJob(), window = 200_000 } = {}) {
  const { session, facts } = job
  const options = { ...strategy(name), share: READ_SHARE, window, summarize: perfectSummary(facts) }
  const replayed = await replay(session, {
    ...options,
    atEnd: async ({ lastBody, ...end }) => ({
      inView: facts.filter(({ answer }) => lastBody.includes(answer)).length,
      recalled: options.plugins.length > 0 && name !== 'nothing' ? await recall(facts, end) : 0,
    }),
  })
  return { name, ...replayed, ...replayed.atEnd }
}

/** Asks for every fact by its words, each in one call of the tool. */
async function recall(facts, { session, answer }) {
  const calls = facts.map(({ question }, index) => {
    return { type: 'tool_use', id: `toolu_recall_${index}`, name: 'Recall', input: { query: question, scope: 'all' } }
  })
  answer(calls, [{ type: 'text', text: 'Done.' }])
  const said = new Map()
  for await (const event of session.query('Now recall all facts.')) {
    if (event.type === 'tool-end') said.set(event.call.id, JSON.stringify(event.result.content))
  }
  return facts.filter((fact, index) => said.get(`toolu_recall_${index}`)?.includes(fact.answer)).length
}
