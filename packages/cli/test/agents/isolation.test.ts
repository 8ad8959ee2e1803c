import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardTools } from '@nacre/tools'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastWords, startAgent, talk, use } from './talk.js'

const cwd = mkdtempSync(join(tmpdir(), 'nacre-apart-'))
const file = join(cwd, 'a.txt')
beforeAll(() => writeFileSync(file, 'one\n'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

it("a child's todos, plan mode, read files and denials are its own, and not its parent's or its siblings'", async () => {
  const todos = (content: string) => use('Todo', { todos: [{ content, status: 'pending' }] })
  const asked: string[] = []
  const edit = use('Edit', { file_path: file, old_string: 'one', new_string: 'two' })
  const {
    say,
    session,
    team,
    asked: requests,
  } = await talk(
    (source, words, request) => {
      const turn = request.messages.filter((message) => (message as { role: string }).role === 'assistant').length
      if (source === 'main') {
        if (words === 'Begin.') return [todos('of main'), use('Read', { file_path: file })]
        if (words === 'Go.') {
          return [
            startAgent({ prompt: 'x', name: 'a' }),
            startAgent({ prompt: 'x', name: 'b' }),
            startAgent({ prompt: 'x', name: 'c', mode: 'fork' }),
          ]
        }
        return 'ok'
      }
      if (source === 'agent:a') {
        if (turn === 0)
          return [todos('of a'), use('Bash', { command: 'npm publish', access: 'outside' }), use('EnterPlanMode', {})]
        return 'a is done'
      }
      // b has read nothing: what its parent has seen does not let it edit.
      if (source === 'agent:b') return turn === 0 ? [edit] : 'b is done'
      return words.includes('<fork-directive') ? [edit] : 'c is done'
    },
    {
      cwd,
      plugins: standardTools({ permissions: { mode: 'accept-edits' }, mcp: { files: {} } }),
      details: {
        async ask({ name }, _reason, _signal, source) {
          asked.push(`${source} ${name}`)
          return 'deny'
        },
      },
    },
  )
  await say('Begin.')
  const before = { todos: session.view().state('todos', 'list'), plan: session.view().state('plan-mode', 'mode') }
  await say('Go.')
  expect(team.agents().map(({ name, state }) => `${name} ${state}`)).toEqual(['a done', 'b done', 'c done'])
  expect(session.view().state('todos', 'list')).toEqual(before.todos)
  expect(session.view().state('plan-mode', 'mode')).toEqual(before.plan)
  expect(asked).toContain('agent:a Bash')
  expect(lastWords(requests('agent:b')[1])).toContain('was not read')
  // A fork knows what its parent has read: that state was cloned.
  expect(lastWords(requests('agent:c').at(-1))).not.toContain('was not read')
  expect(readFileSync(file, 'utf8')).toBe('two\n')
  // What the fork has read and changed is not its parent's: the file is another one than its parent saw.
  await say('And?')
  expect(session.view().state('files', 'recent')).toEqual(
    [file].map((path) => expect.stringContaining(path.split('/').at(-1) as string)),
  )
})
