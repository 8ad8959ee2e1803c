import { createServer } from 'node:http'

/**
 * Runs servers in a process of their own, so that the client's work is not in the way:
 * `bare` reads a body and answers with as many bytes as the simulator does, `simulator` is the simulator.
 */
const [kind = 'bare', count = '1'] = process.argv.slice(2)

const urls = []
for (let number = 0; number < Number(count); number++) {
  urls.push(kind === 'bare' ? await startBare(Number(process.env.BENCH_ANSWER ?? 500)) : await startSimulated())
}
process.send?.(urls)
process.on('disconnect', () => process.exit())

async function startSimulated() {
  const { scripted, startSimulator } = await import('../dist/index.js')
  return (await startSimulator({ model: scripted(() => 'ok') })).url
}

/** @param {number} size */
function startBare(size) {
  const answer = { text: 'x'.repeat(Math.max(0, size - 11)) }
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const length = Buffer.concat(chunks).toString().length
      const text = length > 0 ? JSON.stringify(answer) : ''
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) })
      response.end(text)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}
