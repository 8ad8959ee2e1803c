import { appendFileSync, readFileSync } from 'node:fs'

const settings = JSON.parse(readFileSync(process.env.SETTINGS, 'utf8'))
appendFileSync(settings.journal, `started ${process.pid}\n`)
if (settings.fails) {
  console.error('no licence found')
  process.exit(3)
}
if (settings.isStubborn) process.on('SIGTERM', () => undefined)
if (settings.isStubborn || settings.isDeaf) setInterval(() => undefined, 1_000)
if (!settings.isDeaf) {
  // Loaded only now: a start that fails is cheap.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { makeServer } = await import('./make-server.mjs')
  await makeServer(settings, () => process.exit(7)).connect(new StdioServerTransport())
}
