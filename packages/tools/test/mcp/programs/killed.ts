import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mcp } from '../../../src/mcp/mcp.js'
import { createSandbox } from '../../../src/sandbox/create-sandbox.js'

/** Starts a server that does not end with its input, in a sandbox if told, and is killed. */
const [folder = '', how] = process.argv.slice(2)
const sandbox = how === 'caged' ? createSandbox({ folder: join(folder, 'temporary') }) : undefined
const stubborn = `require('node:fs').writeFileSync(${JSON.stringify(`${folder}/id`)}, String(process.pid)); setInterval(() => {}, 1000)`
const servers = {
  one: { command: process.execPath, args: ['-e', stubborn], ...(sandbox && { sandbox: 'work' as const }) },
}
const context = {
  cwd: folder,
  store: { append: async () => undefined },
  now: () => 0,
  model: { window: 1, can: new Set() },
}
void mcp({ servers, files: { user: false, project: false }, ...(sandbox && { sandbox }) }).setup(context as never)
setInterval(() => {
  if (existsSync(`${folder}/id`)) process.kill(process.pid, 'SIGKILL')
}, 10)
