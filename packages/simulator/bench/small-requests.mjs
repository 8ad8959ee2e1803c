import autocannon from 'autocannon'
import { conversation, HEADERS, median, post, randomNumbers, requestBody, startServer } from './support.mjs'

const ROUNDS = 5
const REQUESTS = 4_000
const LIMIT = 3

/** A conversation of 1 KB against a server that only reads it and sends the same answer. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureSmallRequests() {
  const simulator = await startServer('simulator')
  const messages = conversation(5, 150, randomNumbers(1))
  const body = requestBody(messages)
  const bare = await startServer('bare', { answer: await post(simulator.url, body) })
  const rows = []
  for (const [name, request] of [
    ['served again', { body }],
    ['with new text each time', { setupRequest: changing(messages) }],
  ]) {
    await fire(simulator, request)
    await fire(bare, request)
    const ratios = []
    const rates = []
    for (let round = 0; round < ROUNDS; round++) {
      const simple = await fire(bare, request)
      const simulated = await fire(simulator, request)
      ratios.push(simple / simulated)
      rates.push(simulated)
    }
    rows.push({
      name: `1 KB conversation ${name}, against node:http that reads it and sends the same answer`,
      ratio: median(ratios),
      limit: LIMIT,
      detail: `${Math.round(median(rates))} requests a second of processor time`,
    })
  }
  simulator.stop()
  bare.stop()
  return rows
}

/** @param {readonly object[]} messages */
function changing(messages) {
  const [head, tail] = requestBody([
    ...messages.slice(0, -1),
    { role: 'user', content: [{ type: 'text', text: `${'word '.repeat(26)}@@@` }] },
  ]).split('@@@')
  let number = 0
  return (request) => {
    number += 1
    return { ...request, body: `${head}${number}${tail}` }
  }
}

/**
 * Requests for each second of the server's processor time: the rate of a busy server, whatever else the machine does.
 * @param {Awaited<ReturnType<typeof startServer>>} server @param {object} request
 */
async function fire(server, request) {
  const before = await server.cpu()
  const result = await autocannon({
    url: `${server.url}/v1/messages`,
    connections: 8,
    amount: REQUESTS,
    requests: [{ method: 'POST', headers: HEADERS, ...request }],
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`)
  return result['2xx'] / ((await server.cpu()) - before)
}
