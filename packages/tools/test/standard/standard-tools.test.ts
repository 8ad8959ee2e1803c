import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session, SessionEvent, SessionOptions } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { type ReplyBlock, scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { type StandardToolsOptions, standardTools, textOf } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const call = (name: string, input: object) => ({ type: 'tool_use', name, input }) as ReplyBlock

/** A session with every plugin in a folder of its own; its model makes one answer of calls after the other. */
async function working(
  answers: readonly (readonly ReplyBlock[])[],
  options: StandardToolsOptions = {},
  prepare: (cwd: string) => Promise<void> = async () => undefined,
) {
  const cwd = await temporaryFolder()
  const home = await temporaryFolder()
  await mkdir(join(cwd, 'src'))
  await writeFile(join(cwd, 'src', 'greet.ts'), "export const greet = () => 'hello'\n")
  await prepare(cwd)
  const set = await setUp(
    scripted(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length
      return answers[said] ? [...answers[said]] : 'Done.'
    }),
  )
  const mcp = { files: { user: false, project: false } } as const
  const session = await set.start({
    cwd,
    store: fileStore({ home, project: 'standard' }),
    plugins: standardTools({ mcp, ...options }),
  })
  return { ...set, cwd, home, session, events: await eventsOf(session.query('Work.')) }
}

function resultsOf(events: readonly SessionEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool-end' ? [{ name: event.call.name, by: event.denied?.by, ...event.result }] : [],
  )
}

it('lets an agent read, edit and try, as far as the rules go', async () => {
  const edit = { file_path: 'src/greet.ts', old_string: "'hello'", new_string: "'good day'" }
  const { events, cwd, simulator } = await working(
    [
      [call('Edit', edit)],
      [call('Read', { file_path: 'src/greet.ts' })],
      [call('Edit', edit)],
      [call('Bash', { command: 'cat src/greet.ts' }), call('Bash', { command: 'rm -rf src', access: 'outside' })],
    ],
    { permissions: { mode: 'accept-edits' } },
  )
  const [unread, , edited, shown, removed] = resultsOf(events).map((result) => ({ ...result, text: textOf(result) }))
  expect(unread?.text).toMatch(/read/i)
  expect(unread?.isError).toBe(true)
  expect(edited?.isError).toBeUndefined()
  expect(shown?.text).toContain('good day')
  // Nobody is there to ask.
  expect(removed).toMatchObject({ name: 'Bash', by: 'nobody', isError: true })
  expect(await readFile(join(cwd, 'src', 'greet.ts'), 'utf8')).toBe("export const greet = () => 'good day'\n")
  expect(simulator.ledger.totals().failed).toBe(0)
})

it('runs what only reads side by side, and keeps the results in the order of the calls', async () => {
  const calls = [
    call('Bash', { command: 'cat src/greet.ts && echo one' }),
    call('Grep', { pattern: 'greet' }),
    call('Read', { file_path: 'src/greet.ts' }),
    call('Glob', { pattern: '**/*.ts' }),
    call('Bash', { command: 'echo two' }),
  ]
  const { events, bodies } = await working([calls])
  const kinds = events.flatMap(({ type }) => (type === 'tool-start' || type === 'tool-end' ? [type] : []))
  expect(kinds.slice(0, calls.length)).toEqual(calls.map(() => 'tool-start'))
  const messages = (JSON.parse(bodies.at(-1) ?? '') as { messages: { content: Record<string, unknown>[] }[] }).messages
  const asked = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_use')
  const given = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result')
  expect(given.map(({ tool_use_id }) => tool_use_id)).toEqual(asked.map(({ id }) => id))
  expect(given.map((result) => JSON.stringify(result).includes('two'))).toEqual([false, false, false, false, true])
})

it('cuts a long output once: what the shell has put into a file is not stored again', async () => {
  const { events } = await working([[call('Bash', { command: 'seq 1 200000' })]], {
    permissions: { rules: { allow: ['Bash(seq:*)'] } },
  })
  const texts = resultsOf(events).map(textOf)
  expect(texts).toHaveLength(1)
  expect(texts[0]?.length).toBeLessThan(32_000)
  expect(texts[0]?.includes('200000') && !texts[0].includes('<persisted-output')).toBe(true)
})

it('finds nothing in files that a rule forbids to read', async () => {
  const answers = ['files_with_matches', 'content', 'count'].map((output_mode) => [
    call('Grep', { pattern: 'hello|greet', output_mode }),
  ])
  const { events } = await working(answers, { permissions: { rules: { deny: ['Read(src/**)'] } } }, async (cwd) => {
    await writeFile(join(cwd, 'README.txt'), 'How to greet.')
  })
  const texts = resultsOf(events).map(textOf)
  expect(texts).toHaveLength(3)
  for (const text of texts) expect([text.includes('README'), text.includes('src')]).toEqual([true, false])
})

it('leaves plan mode only when a person agrees, whatever the rules allow', async () => {
  const plan = [[call('EnterPlanMode', {})], [call('ExitPlanMode', { plan: '# Plan\n\nGreet better.' })]]
  const alone = await working(plan, { permissions: { mode: 'bypass' } })
  expect(resultsOf(alone.events).map(({ name, by }) => [name, by])).toEqual([
    ['EnterPlanMode', undefined],
    ['ExitPlanMode', 'nobody'],
  ])
})

it('sends the same bytes after a resume, and each request extends the one before', async () => {
  const first = await working([[call('Todo', { todos: [{ content: 'Greet.', status: 'in_progress' }] })]])
  await first.session.close()
  const options: Partial<SessionOptions> = {
    cwd: first.cwd,
    store: fileStore({ home: first.home, project: 'standard' }),
    plugins: standardTools({ mcp: { files: { user: false, project: false } } }),
    open: { resume: first.session.id },
  }
  const second: Session = await first.start(options)
  await eventsOf(second.query('Go on.'))
  const bare = first.bodies.map((body) => body.replaceAll(/,"cache_control":\{[^}]*\}/g, ''))
  const prefixes = bare.map((body) => body.slice(0, body.lastIndexOf(']}],"') + 2))
  for (const [index, prefix] of prefixes.slice(0, -1).entries()) expect(bare[index + 1]?.startsWith(prefix)).toBe(true)
  expect(second.breaks()).toEqual([])
  expect(second.commands().map(({ name }) => name)).toEqual(expect.arrayContaining(['permissions', 'mode', 'todos']))
})
