import { existsSync } from 'node:fs'
import { bashTools } from '../../../src/shell/shell.js'

/** Starts a command in the background and ends without a word, as a program does that has failed, or was killed. */
const [folder = '', how] = process.argv.slice(2)
const { bash } = bashTools({ folder })
const { signal } = new AbortController()
const command = 'echo $$ > shell; (trap "" TERM; echo $BASHPID > child; while :; do sleep 0.05; done) & wait'
await bash.run({ command, run_in_background: true }, { callId: 'one', cwd: folder, signal, progress: () => undefined })
setInterval(() => {
  if (existsSync(`${folder}/shell`) && existsSync(`${folder}/child`)) {
    if (how === 'killed') process.kill(process.pid, 'SIGKILL')
    else process.exit(1)
  }
}, 10)
