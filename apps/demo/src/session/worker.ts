import { PROMPT } from '../story.js'
import { openSession } from './open-session.js'

// A process of its own, so that it can be killed: begins the session and works on it until it is done, or gone.
const [url = '', project = '', home = '', id = ''] = process.argv.slice(2)
const session = await openSession({ url, project, home }, { id })
for await (const event of session.query(PROMPT)) if (event.type === 'end') process.stdout.write(`${event.reason}\n`)
await session.close()
