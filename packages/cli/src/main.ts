#!/usr/bin/env node
import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

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

/**
 * The person's home folder. Where `HOME` is empty or no whole path, the one that the system knows: else it would lead
 * into the current folder, and settings of a folder that nobody trusts would count as the person's own.
 */
function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.HOME ?? homedir()
  return isAbsolute(named) ? named : userInfo().homedir
}
