import { writeSync } from 'node:fs'
import { type Block, createSession, type Request } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'
import { dream } from '../../src/index.js'
import { dieAt } from '../support/die-at.js'

// A session that says something worth remembering, and dreams, by hand or where one is due; killed at the so-manieth
// thing it does to the disk.
const [home = '', project = '', word = '', point = '-1', task = 'by hand'] = process.argv.slice(2)
const quote = `I prefer the editor ${word} to all others`
const file = `---\nname: Prefers ${word}\ndescription: the editor\ntype: user\nquote: ${quote}\n---\nThe user prefers the editor ${word} to all others.`
const call = (input: object): Block => ({ type: 'tool_use', name: 'memory', input })

function answer({ fields, messages }: Request) {
  const last = JSON.stringify(messages.at(-1))
  const isAnswered = last.includes('"tool_result"')
  if (fields.extra?.source === 'extract_memories') {
    return isAnswered ? 'Saved.' : [call({ command: 'create', path: `/memories/person/${word}.md`, file_text: file })]
  }
  if (fields.extra?.source === 'dream') {
    // That of the person has nothing to merge.
    if (isAnswered || !last.includes('/memories/a.md')) return 'Done.'
    writeSync(1, 'asked to dream\n')
    return [call({ command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md', reason: 'twice' })]
  }
  return 'Noted.'
}

const due = { hours: task === 'due' ? 24 : 1_000_000, sessions: 0 }
const model = scriptedModel(answer)
const store = fileStore({ home, project })
const session = await createSession({ model, store, cwd: project, plugins: [dream({ home, project, due })] })
if (Number(point) >= 0) dieAt(Number(point))
for await (const _ of session.query(`${quote}.`));
if (task !== 'due') writeSync(1, `${await session.command('dream')}\n`)
await session.close()
writeSync(1, 'done\n')
process.exit()
