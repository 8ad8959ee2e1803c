import { type FileHandle, open } from 'node:fs/promises'
import { fileStore } from '@nacre/core/node'
import { bashTools } from '../../../src/shell/shell.js'

/** Runs a command twice, with a large and with a huge output, and tells by how much the memory has grown in between. */
const [folder = '', bytes = ''] = process.argv.slice(2)
const tools = bashTools()
const store = await fileStore({ home: `${folder}/store`, project: 'project' }).open(
  'session',
  new AbortController().signal,
)
const context = (callId: string) => {
  const { signal } = new AbortController()
  return { callId, cwd: folder, signal, store, progress: () => undefined }
}
const run = (size: string) => tools.bash.run({ command: `yes 'one line of output' | head -c ${size}` }, context(size))

// The heap has its size from here on.
await run('30000000')
const before = process.memoryUsage.rss()
let most = before
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss())
}, 5)
const result = await run(bytes)
clearInterval(watch)
most = Math.max(most, process.memoryUsage.rss())
await tools.close()
const report: FileHandle = await open(`${folder}/report.json`, 'w')
await report.writeFile(JSON.stringify({ grown: most - before, text: result.content[0]?.text }))
await report.close()
await store.close()
