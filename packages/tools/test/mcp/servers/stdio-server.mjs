import { appendFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { makeServer, readSettings } from './make-server.mjs'

const settings = readSettings()
appendFileSync(settings.journal, `started ${process.pid}\n`)
if (settings.fails) {
  console.error('no licence found')
  process.exit(3)
}
if (settings.isDeaf) setInterval(() => undefined, 1_000)
else {
  if (settings.isStubborn) {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1_000)
  }
  await makeServer(settings, () => process.exit(7)).connect(new StdioServerTransport())
}
