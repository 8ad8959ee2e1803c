// A command hook: the event comes as JSON on stdin. Exit code 2 closes the gate, and stderr is the reason.
import { text } from 'node:stream/consumers'

const event = JSON.parse(await text(process.stdin))
if (/sk-[a-z0-9]{8,}/i.test(JSON.stringify(event.prompt.content))) {
  process.stderr.write('The prompt has a key in it. Take it out.\n')
  process.exitCode = 2
}
