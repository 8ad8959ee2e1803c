import { spawn } from 'node:child_process'
import { BESIDE, THEN } from './tricks/trick.js'

/** Runs a command as it is, with all its steps, and gives what it has written. Everything of its process group ends with it. */
export async function runUncaged(
  command: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  let text = ''
  for (const step of command.split(THEN))
    text += (await Promise.all(step.split(BESIDE).map((one) => runStep(one, cwd, env)))).join('\n')
  return text
}

function runStep(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const parts: Buffer[] = []
    const keep = (part: Buffer) => parts.push(part)
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const done = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(parts).toString('latin1'))
    }
    const timer = setTimeout(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
      done()
    }, 5000)
    child.once('error', done)
    child.once('exit', () => setTimeout(done, 30))
  })
}
