#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' }
import { homeFolder } from './home-folder.js'

// Nothing else is loaded for it: the version is what scripts ask for most.
if (['--version', '-V'].includes(process.argv[2] ?? '')) process.stdout.write(`${manifest.version}\n`)
else await start()

async function start(): Promise<void> {
  const { run } = await import('./run.js')
  const { env, stdin, stdout, stderr } = process
  const home = homeFolder(env)
  // Whatever asks the system for it has to find the same one.
  if (env.HOME !== undefined) env.HOME = home
  const terminal = {
    args: process.argv.slice(2),
    env,
    cwd: process.cwd(),
    home,
    stdin,
    stdout,
    stderr,
    now: Date.now,
  }
  const code = await run(terminal, manifest.version)
  // What is on its way is written before the end; a reader that has left is not waited for.
  await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
  process.exit(code)
}
