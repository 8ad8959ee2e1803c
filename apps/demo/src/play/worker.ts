import { openSession, type Place } from './open-session.js'

// A process of its own, so that it can be killed: goes on with a session until it is done, or gone.
const [place = '', id = '', prompt = ''] = process.argv.slice(2)
const session = await openSession(JSON.parse(place) as Place, { resume: id })
for await (const _ of session.query(prompt));
await session.close()
