import { createServer } from 'node:http'

/**
 * Runs servers in a process of their own, so that the client's work is not in the way:
 * `bare` reads a body and sends the answer that it was given, headers and all; `simulator` is the simulator.
 */
const [kind = 'bare', count = '1'] = process.argv.slice(2)

const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'])

const urls = []
for (let number = 0; number < Number(count); number++) {
  urls.push(kind === 'bare' ? await startBare(JSON.parse(process.env.BENCH_ANSWER ?? '{}')) : await startSimulated())
}
process.send?.(urls)
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())

async function startSimulated() {
  const { scripted, startSimulator } = await import('../dist/index.js')
  return (await startSimulator({ model: scripted(() => 'ok') })).url
}

/** @param {import('./support.mjs').Answer} answer */
function startBare({ text, headers }) {
  const answer = JSON.parse(text)
  const own = headers.filter((_, index) => !OF_THE_CONNECTION.has(headers[index - (index % 2)].toLowerCase()))
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const length = Buffer.concat(chunks).toString().length
      const body = length > 0 ? JSON.stringify(answer) : ''
      response.writeHead(200, [...own, 'content-length', String(Buffer.byteLength(body))])
      response.end(body)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}
