import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, type Session } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { dream, openMemories } from '../src/index.js'

const FILE = `---
name: Tabs for indentation
description: Indent with tabs, not spaces
type: feedback
quote: please always indent with tabs, not spaces
---
Always indent with tabs, not spaces.

**How to apply:** in every file.`

async function drain(session: Session, prompt: string) {
  let text = ''
  for await (const event of session.query(prompt)) if (event.type === 'end' && event.error) throw event.error
  else if (event.type === 'response') text = event.entry.content.map((block) => String(block.text ?? '')).join('')
  return text
}

it('recalls in a second session what the first has learnt, where it fits and not where it does not', async () => {
  const home = await mkdtemp(join(tmpdir(), 'nacre-dream-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const project = join(home, 'project')
  const model = scriptedModel((request) => {
    const last = JSON.stringify(request.messages.at(-1))
    if (request.fields.extra?.source === 'extract_memories') {
      return last.includes('tool_result') ? 'done' : [{ type: 'tool_use', name: 'memory', input: { command: 'create', path: '/memories/person/tabs.md', file_text: FILE } }]
    }
    return 'I will indent with tabs.'
  })
  const start = () => createSession({ model, store: fileStore({ home, project }), cwd: project, plugins: [dream({ home, project })] })
  const first = await start()
  await drain(first, 'Hello. For the parser: please always indent with tabs, not spaces. I dislike spaces.')
  await first.close()
  const memories = await openMemories({ home, project })
  console.log(await (await import('../src/person/memory-words.js')).runMemoryWords(memories, 'list'))
  console.log(await (await import('../src/person/memory-words.js')).runMemoryWords(memories, 'log'))
  const second = await start()
  await drain(second, 'How should I indent this file, tabs or spaces?')
  const request = model.requests.filter(({ fields }) => fields.extra?.source !== 'extract_memories').at(-1)
  expect(JSON.stringify(request?.messages)).toContain('Tabs for indentation')
  await second.close()
  const third = await start()
  await drain(third, 'What is the weather in Lisbon?')
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('Tabs for indentation')
  await third.close()
})
