import { writeSync } from 'node:fs'
import { listenForMessages } from '../../../src/messages/socket.js'

// Listens as whoever started it says, tells the ids that it receives, and stays until it is killed or stdin ends.
const [path = ''] = process.argv.slice(2)
const receive = async ({ id }: { readonly id: string }) => void writeSync(1, `${id}\n`)
const listener = await listenForMessages({ path, receive })
writeSync(1, 'ready\n')
process.stdin.resume().once('end', () => void listener.close())
