import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built demo as a process, as `npm run demo` does. */
export function runDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const {
      ANTHROPIC_API_KEY: _key,
      ANTHROPIC_BASE_URL: _url,
      ANTHROPIC_AUTH_TOKEN: _token,
      INIT_CWD: _cwd,
      ...rest
    } = process.env
    const options = { env: { ...rest, ...env }, maxBuffer: 1 << 26 }
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
