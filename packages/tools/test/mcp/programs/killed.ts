import { existsSync } from 'node:fs'
import { mcp } from '../../../src/mcp/mcp.js'

/** Starts a server that does not end with its input, and is killed. */
const [folder = ''] = process.argv.slice(2)
const stubborn = `require('node:fs').writeFileSync(${JSON.stringify(`${folder}/id`)}, String(process.pid)); setInterval(() => {}, 1000)`
const servers = { one: { command: process.execPath, args: ['-e', stubborn] } }
const context = {
  cwd: folder,
  store: { append: async () => undefined },
  now: () => 0,
  model: { window: 1, can: new Set() },
}
void mcp({ servers, files: { user: false, project: false } }).setup(context as never)
setInterval(() => {
  if (existsSync(`${folder}/id`)) process.kill(process.pid, 'SIGKILL')
}, 10)
