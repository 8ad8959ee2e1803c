import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openMailbox } from '../../../src/messages/mailbox.js'
import { fileLog, message, readRecords } from '../mail-logs.js'

// Sends its messages to all others in turn and takes in theirs, and may be killed whenever it likes. Each record of the
// log is told with a dot. When nothing is left to do it says `done`, and stays until the end of stdin.
const [folder = '', name = '', team = '', messages = ''] = process.argv.slice(2)
const names = team.split(',')
const others = names.filter((each) => each !== name)
const path = join(folder, `${name}.log`)
const before = readRecords(path)
const sent = new Set(before.flatMap((record) => (record.kind === 'sent' ? [record.mail.message.id] : [])))
let received = before.filter(({ kind }) => kind === 'received').length

/** How many there are for this one: each sender goes through its others in turn. */
const expected = names
  .filter((each) => each !== name)
  .map((from) => names.filter((each) => each !== from).indexOf(name))
  .reduce((sum, place) => sum + Math.ceil((Number(messages) - place) / others.length), 0)

const log = fileLog(path, ({ kind }) => {
  if (kind === 'received') received += 1
  writeSync(1, '.')
})
const report = (error: Error) => writeSync(2, `${name}: ${error.stack}\n`)
const box = await openMailbox({ folder: join(folder, 'team'), name, log, report, poll: 50 })
for (let number = 0; number < Number(messages); number++) {
  const id = `${name}-${number}`
  // What the log has needs no second sending: the mailbox brings it there.
  if (!sent.has(id))
    await box.send(message(name, others[number % others.length] ?? '', id, 'x'.repeat((number * 997) % 40_000)))
}
const timer = setInterval(() => {
  if (received < expected || box.waiting().length > 0) return
  clearInterval(timer)
  writeSync(1, 'done')
}, 10)
process.stdin.resume().once('end', () => void box.close().then(() => process.exit()))
