import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpOptions } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type SetUpMcp, setUpMcp } from './set-up-mcp.js'

const PROGRAM = `
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const tool = (name, more) => ({ name, inputSchema: { type: 'object' }, ...more })
const say = (id, text) => out({ id, result: { content: [{ type: 'text', text }] } })
let calls = 0
const server = {
  instructions: undefined,
  list: (id) => out({ id, result: { tools: [tool('go'), tool('echo')] } }),
  go: (id) => say(id, 'gone'),
}
BEHAVIOUR
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const { protocolVersion } = params ?? {}
  const { instructions } = server
  const hello = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' }, instructions }
  if (method === 'initialize') out({ id, result: hello })
  if (method === 'tools/list') server.list(id)
  if (method === 'tools/call') params.name === 'go' ? server.go(id, ++calls) : say(id, 'echo ' + process.pid)
})
`

/** A server without any library, which does what no library would do. `behaviour` is code that changes `server`. */
export async function rawServer(behaviour: string, more: McpOptions = {}): Promise<SetUpMcp> {
  const program = await rawProgram(await temporaryFolder(), behaviour)
  const one = { command: process.execPath, args: [program] }
  return setUpMcp({ servers: { one }, files: { user: false, project: false }, wait: () => undefined, ...more })
}

/** The file of such a server. */
export async function rawProgram(folder: string, behaviour: string): Promise<string> {
  const program = join(folder, 'server.mjs')
  await writeFile(
    program,
    PROGRAM.replace('BEHAVIOUR', () => behaviour),
  )
  return program
}
