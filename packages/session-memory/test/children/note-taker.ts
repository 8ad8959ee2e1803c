import { writeSync } from 'node:fs'
import { createSession } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'
import { sessionMemory } from '../../src/index.js'

// Brings its notes up to date until it is killed. Each update has its number at both ends of a long text.
const [home = '', project = '', isLater = ''] = process.argv.slice(2)
const text = (size: number) => 'word '.repeat(size)
let number = Number(isLater)
const model = scriptedModel(
  (request) => {
    if (request.fields.extra?.source !== 'session_memory') return text(1_500)
    number += 1
    writeSync(1, `${number}\n`)
    const edits = [
      { section: 'Current State', how: 'replace', text: `step ${number}` },
      { section: 'Key Results', how: 'replace', text: text(20_000) },
      { section: 'Worklog', how: 'replace', text: `step ${number}` },
    ]
    return [{ type: 'tool_use', name: 'UpdateNotes', input: { edits } }]
  },
  { window: 60_000 },
)
const store = fileStore({ home, project })
const plugins = [sessionMemory({ home, project })]
const open = isLater === '0' ? { id: 'one' } : { resume: 'one' }
const session = await createSession({ model, store, plugins, open })
for (;;) for await (const event of session.query('Go on.')) if (event.type === 'end' && event.error) throw event.error
