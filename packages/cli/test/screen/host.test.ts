import { describe, expect, it } from 'vitest'
import { askPerson } from '../../src/screen/conversation/ask-person.js'
import { createDialogs } from '../../src/screen/state/dialogs.js'
import { screenStore } from '../../src/screen/state/screen-state.js'
import { stage } from '../session/stage.js'
import { hasSandbox } from '../support/has-sandbox.js'
import { reaching } from '../support/reaching.js'
import { idle } from './idle.js'
import { setUp } from './set-up.js'

const ESCAPE = '\u001b'
const bash = (input: object) => [{ type: 'tool_use' as const, name: 'Bash', input }]

/** A person in front of a screen that nobody paints. */
async function person(cage?: 'outside') {
  const { terminal } = await stage()
  const store = screenStore()
  const dialogs = createDialogs(store)
  const rules: string[] = []
  const end = new AbortController()
  const needs = askPerson(
    { store, dialogs, terminal, signal: end.signal },
    { tool: () => undefined, addRule: async (rule) => void rules.push(rule), cageOf: async () => cage },
  )
  const title = () => store.state().dialog?.choice.title
  return { needs, dialogs, rules, end, title, dialog: () => store.state().dialog }
}

const key = (text: string) => ({ kind: 'text', text }) as const
const escapeKey = { kind: 'press', name: 'escape' } as const

describe('a question about a host', () => {
  it('is answered for now, by a rule, or with no', async () => {
    const { needs, dialogs, rules, title } = await person()
    for (const [typed, expected] of [
      ['y', true],
      ['n', false],
      ['a', true],
    ] as const) {
      const answer = needs.askHost?.('shop.example', 443)
      expect(title()).toBe('May commands reach shop.example:443?')
      dialogs.press(key(typed))
      expect(await answer).toBe(expected)
    }
    expect(rules).toEqual(['Network(domain:shop.example)'])
  })

  it('waits behind a question about a call, and neither answers the other', async () => {
    const { needs, dialogs, title } = await person()
    const { signal } = new AbortController()
    const call = { id: 'c', name: 'Write', input: { file_path: 'a', content: 'b' } }
    const first = needs.askHost?.('one.example', 80)
    const second = needs.ask?.(call, 'It would write.', signal, 'main')
    await Promise.resolve()
    const third = needs.askHost?.('two.example', 443)
    expect(title()).toBe('May commands reach one.example:80?')
    // To leave it stops nothing: the command goes on without the host.
    expect(dialogs.press(escapeKey)).toBe(false)
    expect(await first).toBe(false)
    expect(title()).toContain('May it run?')
    dialogs.press(key('y'))
    expect(await second).toBe('allow')
    expect(title()).toBe('May commands reach two.example:443?')
    dialogs.press(key('y'))
    expect(await third).toBe(true)
  })

  it('is a no where the screen ends', async () => {
    const { needs, end } = await person()
    const answer = needs.askHost?.('one.example', 80)
    end.abort()
    expect(await answer).toBe(false)
  })
})

it('offers no rule for a command that would run outside of the sandbox: none alone would let it out', async () => {
  const { needs, dialogs, dialog } = await person('outside')
  const { signal } = new AbortController()
  const call = { id: 'c', name: 'Bash', input: { command: 'npm publish', access: 'outside' } }
  const answer = needs.ask?.(call, 'It asks to run outside of the sandbox: it needs the key.', signal, 'main')
  await Promise.resolve()
  const choice = dialog()?.choice
  expect(choice?.options.map(({ label }) => label)).toEqual(['Yes, once', 'No', 'No, and say why'])
  dialogs.press(key('n'))
  expect(await answer).toBe('deny')
})

describe.skipIf(!hasSandbox)('a command in the sandbox, where bubblewrap works', () => {
  it('is asked about with where it runs, and then about each host that it wants to reach', async () => {
    const { start } = await setUp([
      bash({ command: reaching('one.example'), access: 'write', reason: 'to fetch a page.' }),
      bash({ command: reaching('two.example', 'three.example'), access: 'write' }),
      'All is done.',
    ])
    const terminal = start([], { rows: 40, env: { NACRE_FLAGS: 'session-memory=off' } })
    terminal.type('fetch\r')
    await terminal.see('May it run?')
    expect(terminal.screen()).toContain('It asks to write in the workspace: to fetch a page.')
    expect(terminal.screen()).toContain('In the sandbox, may write in the workspace.')
    expect(terminal.screen()).toMatch(/· sandbox$/m)
    terminal.type('y')
    await terminal.see('May commands reach one.example:443?')
    terminal.type('n')
    await terminal.see('The host one.example:443 was refused: the person said no.')
    await terminal.see('May it run?')
    terminal.type('y')
    await terminal.see(/May commands reach (two|three)\.example:443\?/)
    const [, first] = /May commands reach (two|three)\.example/.exec(terminal.screen()) ?? []
    terminal.type(ESCAPE)
    await terminal.see(`May commands reach ${first === 'two' ? 'three' : 'two'}.example:443?`)
    terminal.type('n')
    await terminal.see('All is done.')
    await idle(terminal)
    expect(terminal.text()).not.toContain('Interrupted.')
  })
})
