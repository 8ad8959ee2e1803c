import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelTurn } from '@nacre/simulator'
import stringWidth from 'string-width'
import { expect, it } from 'vitest'
import { gate } from './gate.js'
import { idle } from './idle.js'
import { lastWords } from './last-words.js'
import { setUp } from './set-up.js'

const ESCAPE = '\u001b'
const CTRL_C = '\u0003'
const UP = '\u001b[A'

it('streams an answer in Markdown, keeps the figures, and ends with two Ctrl-C', async () => {
  const answer =
    '# Hello\n\nYou said **hi**.\n\n| port | use |\n|---|---|\n| 80 | web |\n\n- one\n- two\n\n```\nlet a\n```'
  const { start, simulator, place } = await setUp([answer])
  const terminal = start()
  await terminal.see('❯')
  terminal.type('say hi\r')
  await terminal.see('let a')
  await idle(terminal)
  expect(terminal.text()).toContain(
    '● Hello\n\n  You said hi.\n\n  port  use\n  ────  ───\n  80    web\n\n  • one\n  • two\n\n    let a',
  )
  const { dollars } = simulator.ledger.totals()
  expect(terminal.text()).toMatch(/claude-\S+ · \d+% context left · cache 0% · \$\d\.\d{4} · warm 5m/)
  expect(terminal.text()).toContain(`$${dollars.toFixed(4)}`)
  expect(terminal.raw()).toContain(`${ESCAPE}[1m`)

  terminal.type('half a line')
  await terminal.see('❯ half a line')
  terminal.type(CTRL_C)
  await terminal.see('Press Ctrl-C again to end.')
  await terminal.lose('half a line')
  terminal.type('x')
  await terminal.lose('Press Ctrl-C again to end.')
  terminal.type(CTRL_C + CTRL_C)
  expect(await terminal.exit).toBe(0)
  expect(terminal.text()).toMatch(/nacre --resume \S+$/)

  const history = join(String(place.env.NACRE_HOME), 'history.jsonl')
  expect(await readFile(history, 'utf8')).toBe('"say hi"\n')
  expect((await stat(history)).mode & 0o777).toBe(0o600)
})

it('asks before it writes: once, always, no, and no with a reason that the model reads', async () => {
  const write = (name: string) => [{ type: 'tool_use', name: 'Write', input: { file_path: name, content: 'new\n' } }]
  const { start, place } = await setUp([
    write('one.txt'),
    write('two.txt'),
    [{ type: 'tool_use', name: 'Bash', input: { command: 'touch three.txt' } }],
    [{ type: 'tool_use', name: 'Bash', input: { command: 'touch three.txt' } }],
    (turn: ModelTurn) => `I heard: ${lastResult(turn)}`,
    write('four.txt'),
    'All is written.',
  ])
  // Notes would take an item of the script.
  const terminal = start([], { env: { NACRE_FLAGS: 'session-memory=off' } })
  terminal.type('write\r')
  await terminal.see('May it run? Write one.txt')
  expect(terminal.screen()).toContain(
    [
      'May it run? Write one.txt',
      '+new',
      `It would write to ${join(place.cwd, 'one.txt')}.`,
      '❯ 1. Yes, once (y)',
      '  2. Yes, and always in this session: Edit(**) (a)',
      '  3. No (n)',
      '  4. No, and say why (w)',
      'Enter confirms, Esc says no and interrupts',
    ].join('\n'),
  )
  expect(terminal.screen()).not.toContain('Working')
  terminal.type('y')
  await terminal.see('✓ Write one.txt')
  await terminal.see('May it run? Write two.txt')
  terminal.type('a')
  await terminal.see('✓ Write two.txt')
  await terminal.see('May it run? $ touch three.txt')
  terminal.type('n')
  await terminal.see('✗ $ touch three.txt')
  expect(terminal.text()).toContain('Permission was not given')
  await terminal.see(/✗ \$ touch three\.txt[^✗]*May it run\? \$ touch three\.txt/)
  terminal.type('w')
  await terminal.see('›')
  terminal.type('use Write instead\r')
  await terminal.see(/I heard: The person said no to this call: use Write\s+instead/)
  expect(terminal.text().match(/✗ \$ touch three\.txt/g)).toHaveLength(2)
  await idle(terminal)
  terminal.type('go on\r')
  await terminal.see('All is written.')
  expect(await readFile(join(place.cwd, 'four.txt'), 'utf8')).toBe('new\n')
  expect(await readFile(join(place.cwd, 'three.txt'), 'utf8').catch(() => 'none')).toBe('none')
})

it('interrupts, queues what is said meanwhile, gives it back to be edited, and sends it when the turn ends', async () => {
  const gates = [gate(), gate(), undefined, gate()]
  let turns = 0
  const { start } = await setUp(async (turn) => {
    const open = gates[turns++]
    await open?.wait(turn.signal)
    return `You said: ${lastWords(turn)}`
  })
  const terminal = start()
  terminal.type('first\r')
  await terminal.see('Working')
  await terminal.until(() => turns === 1, 'the first request')
  terminal.type(ESCAPE)
  await terminal.see('Interrupted.')
  await idle(terminal)
  terminal.type('second\r')
  await terminal.until(() => turns === 2, 'the second request')
  terminal.type('third\r')
  await terminal.see('⏳ third')
  terminal.type(UP)
  await terminal.lose('⏳')
  terminal.type(' with more\r')
  await terminal.see('⏳ third with more')
  gates[1]?.open()
  await terminal.see(/You said: .*third with more/)
  expect(terminal.text()).toMatch(/You said: .*second/)
  await idle(terminal)
  terminal.type('fourth\r')
  await terminal.until(() => turns === 4, 'the fourth request')
  terminal.type(CTRL_C)
  await terminal.see('Press Ctrl-C again to end.')
  await terminal.see(/fourth\s+Interrupted\./)
  terminal.type(CTRL_C + CTRL_C)
  expect(await terminal.exit).toBe(0)
})

it('goes on with a session and shows its last messages; what was said is remembered', async () => {
  const { start } = await setUp(['The answer is 42.', '    let answer = 42', 'Still 42.'])
  const first = start()
  first.type('what is it?\r')
  await first.see('The answer is 42.')
  await idle(first)
  first.type('in code?\r')
  await first.see('let answer')
  await idle(first)
  first.type('/exit\r')
  expect(await first.exit).toBe(0)
  expect(first.text()).toMatch(/nacre --resume \S+$/)
  const second = start(['--continue'])
  await second.see('The session goes on:')
  expect(second.text()).toMatch(/❯ what is it\?\n\n● The answer is 42\.\n\n❯ in code\?\n\n● {3}let answer = 42/)
  second.type(`${UP}${UP}${UP}`)
  await second.see(/❯ what is it\?\n(?!\n)/)
  second.type('\r')
  await second.see('Still 42.')
})

it('says what to do about an error, and the session goes on', async () => {
  const { start, simulator } = await setUp(['Here I am again.'])
  simulator.faults.add({ kind: 'spend-cap', times: 1 })
  const terminal = start()
  terminal.type('hello\r')
  await terminal.see('✗')
  await terminal.see('Raise the limit of the account')
  await idle(terminal)
  terminal.type('\r')
  await terminal.see('Here I am again.')
})

// A terminal that becomes narrower moves the cursor by the rows that it breaks below it, and nobody tells how many: now
// and then one row of the old frame stays.
it('fits into 20 columns, takes several lines and wide letters, and follows a resize, without colours', {
  retry: 3,
}, async () => {
  const answer =
    'A long answer that wraps: 日本語のテキスト.\n\n| name | meaning |\n|---|---|\n| a | the first of many letters |'
  const { start } = await setUp((turn) => `${answer}\n\n${JSON.stringify(lastWords(turn))}`)
  const terminal = start([], { columns: 20, rows: 16, env: { NO_COLOR: '1' } })
  await terminal.see('❯')
  terminal.type('日本')
  await terminal.see('❯ 日本')
  await terminal.until(() => terminal.cursor().x === 6, 'the cursor behind the wide letters')
  terminal.type('\\\rtwo')
  await terminal.see('  two')
  terminal.type(`${ESCAPE}[200~\npasted\nlines${ESCAPE}[201~`)
  await terminal.see('  lines')
  terminal.type('\r')
  await terminal.see('"日本\\ntwo')
  await idle(terminal)
  for (const line of terminal.text().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(20)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it looks for
  expect(terminal.raw()).not.toMatch(/\u001b\[[0-9;]+m/)
  await terminal.resize(100, 16)
  await terminal.see('% context left')
  terminal.type('typed: a line that is wider than what comes')
  await terminal.see('❯ typed: a line that is wider than what comes')
  await terminal.resize(24, 12)
  await terminal.lose('% context left')
  await terminal.until(() => /% left[^\n]*$/.test(terminal.screen()), 'a whole frame')
  expect(terminal.screen().match(/❯ typed/g)).toHaveLength(1)
  expect(terminal.text()).toContain('日本語のテキスト')
})

it('shows the questions of the model, and asks whether a folder is trusted before its hooks run', async () => {
  const questions = [
    { header: 'Colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    { header: 'Size', question: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multiSelect: true },
  ]
  const { start, place } = await setUp([
    [{ type: 'tool_use', name: 'AskUser', input: { questions } }],
    (turn: ModelTurn) => `Heard ${lastResult(turn).replace(/\s+/g, ' ')}`,
  ])
  const ran = join(place.cwd, 'ran')
  const hooks = { SessionStart: [{ command: `touch ${ran}` }] }
  await import('node:fs/promises').then(({ mkdir }) => mkdir(join(place.cwd, '.nacre')))
  await writeFile(join(place.cwd, '.nacre', 'settings.json'), JSON.stringify({ hooks }))
  const terminal = start()
  await terminal.see('Do you trust')
  expect(terminal.text()).toContain('SessionStart runs: touch')
  terminal.type('\r')
  await terminal.see('% context left')
  expect(await stat(ran).catch(() => 'none')).toBe('none')
  terminal.type('ask\r')
  await terminal.see('Which colour?')
  terminal.type('\u001b[B\r')
  await terminal.see('Which sizes?')
  terminal.type('1')
  await terminal.see('[x] S')
  terminal.type('3')
  await terminal.see('›')
  terminal.type('and XL\r')
  await terminal.see(/Heard Which colour\? → Blue Which sizes\? → S; in their own\s+words: and XL/)
})

function lastResult({ messages }: ModelTurn): string {
  const block = messages.at(-1)?.content.find(({ type }) => type === 'tool_result')
  return JSON.stringify(block?.content ?? '')
    .replace(/^.*"text":"|"\}\]$/g, '')
    .replaceAll('\\n', '\n')
}
