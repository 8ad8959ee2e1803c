import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asksForSummary, type SimulatedModel, summarize } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { type Gate, gate } from './gate.js'
import { idle } from './idle.js'
import { lastWords } from './last-words.js'
import type { PseudoTerminal } from './pseudo-terminal.js'
import { setUp } from './set-up.js'

const ESCAPE = '\u001b'

/** Says as many words as it is asked for, so that there is something to fold. A summary waits for its gate. */
function talker(summary?: Gate): SimulatedModel {
  return async (turn) => {
    const [, name = '', words = '10'] = /(\w+)(?: (\d+))?$/.exec(lastWords(turn)) ?? []
    if (!asksForSummary(turn)) return `Noted: ${name} ${'word '.repeat(Number(words))}`
    await summary?.wait(turn.signal)
    return summarize(turn, { budget: 1_000 })
  }
}

/** Types a line and gives what was printed after it. */
async function answered(terminal: PseudoTerminal, line: string, wanted: RegExp): Promise<string> {
  await idle(terminal)
  const before = terminal.text().split(`❯ ${line}\n`).length
  terminal.type(`${line}\r`)
  const said = () => terminal.text().split(`❯ ${line}\n`).slice(before).join('')
  await terminal.until(() => wanted.test(said()), `${wanted} after ${line}`)
  await idle(terminal)
  return said()
}

it('folds, takes it back, and says what fills the context, what it cost, and what the cache did, as the ledger has it', async () => {
  const { start, simulator } = await setUp(talker())
  const terminal = start([], { rows: 40, env: { NACRE_FLAGS: 'session-memory=off' } })
  for (const prompt of ['alpha 1500', 'beta 1500', 'gamma']) await answered(terminal, prompt, /Noted: /)
  const dollars = () => `$${simulator.ledger.totals().dollars.toFixed(4)}`
  const count = (figure: number) => figure.toLocaleString('en-US')
  const { read, write5m, output, hitRate } = simulator.ledger.totals()
  expect(terminal.screen()).toContain(`cache ${Math.round(hitRate * 100)}% · ${dollars()} · warm 5m`)

  const cost = await answered(terminal, '/cost', /total.*total/s)
  expect(cost).toContain(`${dollars()} for 3 calls of the model.`)
  expect(cost).toMatch(new RegExp(`total +3 +${count(read)} +${count(write5m)} +${count(output)} +\\${dollars()}`))
  const cache = await answered(terminal, '/cache', /No breaks/)
  expect(cache).toContain(`${(hitRate * 100).toFixed(1)}% of all input was read from the cache.`)
  const context = await answered(terminal, '/context', /owner/)
  expect(context).toMatch(/^[\d,]+ of 1,000,000 tokens \(\d\.\d%\)\./)
  expect(context).toMatch(/█ assistant +[\d,]+ +\d+\.\d%/)

  const compact = await answered(terminal, '/compact', /\/undo \S{8}/)
  expect(compact).toMatch(/^Compacted with a summary: [\d,]+ → [\d,]+ tokens, \$\d\.\d{4}\. \/undo \S{8}\n/)
  expect(terminal.text().match(/Compacted/g)).toHaveLength(1)
  expect(terminal.screen()).toContain(dollars())
  const receipt = await answered(terminal, '/receipt', /undo {7}/)
  expect(receipt).toContain('It is in force.')
  const undo = await answered(terminal, '/undo', /Taken back/)
  expect(undo).toMatch(/^Taken back: .*\. [\d,]+ → [\d,]+ tokens\./)
  expect(await answered(terminal, '/receipt', /undo {7}/)).toContain('It was taken back.')
  expect(await answered(terminal, '/comapct', /Did you/)).toContain(
    'There is no command /comapct. Did you mean /compact?',
  )
})

it('compacts by itself: shows that it does, and how far it is, then one line with what it did', async () => {
  const summary = gate()
  const { start } = await setUp(talker(summary))
  const window = { NACRE_CONTEXT_WINDOW: '100000', NACRE_AUTOCOMPACT_PCT: '15', NACRE_FLAGS: 'session-memory=off' }
  const terminal = start([], { env: window })
  for (const prompt of ['alpha', 'beta 6000']) await answered(terminal, prompt, /Noted: /)
  terminal.type('gamma\r')
  await terminal.see(/\S Compacting \d+s · Esc interrupts/)
  summary.open()
  await terminal.see(/^Compacted with a summary: [\d,]+ → [\d,]+ tokens, \$\d\.\d{4}\. \/undo \S{8}$/m)
  await terminal.see('Noted: gamma')
  await idle(terminal)
  expect(terminal.text().match(/Compacted/g)).toHaveLength(1)
})

it('shows notes that are written while they are, also where they fail, and plan mode while it is on', async () => {
  const notes = [gate(), gate()]
  let updates = 0
  const { start, simulator } = await setUp(async (turn) => {
    if (turn.source !== 'session_memory') return `Noted: ${lastWords(turn)} ${'word '.repeat(800)}`
    await notes[updates++]?.wait(turn.signal)
    return 'Nothing to write.'
  })
  const terminal = start([], { env: { NACRE_CONTEXT_WINDOW: '40000' } })
  terminal.type('alpha\r')
  await terminal.see(/· notes$/m)
  expect(await answered(terminal, '/memory session', /notes/)).toContain('There are no notes yet.')
  simulator.faults.add({ kind: 'spend-cap', source: 'session_memory' })
  notes[0]?.open()
  await terminal.lose(/· notes$/m)
  expect(await answered(terminal, '/plan on', /Plan mode/)).toContain('Plan mode is on.')
  await terminal.see(/(^|· )plan · \d+% context left/m)
  await answered(terminal, '/plan off', /Plan mode/)
  await terminal.lose(/(^|· )plan · \d+%/m)
})

it('shows a plugin of the settings in /plugins, and names it in what goes wrong, once', async () => {
  const { start, place } = await setUp(['One.', 'Two.'])
  const folder = join(String(place.env.HOME), '.nacre')
  await mkdir(folder)
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ plugins: ['./house-rules.mjs'] }))
  await writeFile(
    join(folder, 'house-rules.mjs'),
    `const fail = (what) => { throw new Error(what) }
      export default {
        name: 'house-rules',
        setup: () => ({
          hooks: { PreModelCall: () => fail('the rules are lost') },
          commands: [{ name: 'rules', help: 'Lists the rules.', run: () => fail('no rules') }],
        }),
      }`,
  )
  const terminal = start([], { rows: 80 })
  await answered(terminal, 'hello', /One\./)
  await answered(terminal, 'again', /Two\./)
  const error = "Hook PreModelCall of plugin 'house-rules': the rules are lost"
  expect(terminal.text().split(error)).toHaveLength(2)
  expect(await answered(terminal, '/rules', /no rules/)).toContain(
    "/rules of the plugin 'house-rules' failed: no rules",
  )
  const plugins = await answered(terminal, '/plugins', /house-rules/)
  expect(plugins.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`house-rules, \\d+ ms ├ hooks PreModelCall ├ commands /rules └ error ${error} \\(2 times\\)`),
  )
  expect(await answered(terminal, '/help rules', /For example/)).toContain('For example: /rules')
})

it('prints what a call would do whole where it is too long for the screen, and completes commands', async () => {
  const content = Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join('')
  const { start } = await setUp([
    [{ type: 'tool_use', name: 'Write', input: { file_path: 'long.txt', content } }],
    'Never mind.',
  ])
  const terminal = start()
  terminal.type('write\r')
  await terminal.see('All that it would do stands above.')
  for (const line of ['+line 0', '+line 30', '+line 59']) expect(terminal.text()).toContain(line)
  terminal.type(ESCAPE)
  await terminal.see('Interrupted.')
  await idle(terminal)
  terminal.type('/con')
  await terminal.see('/context  ')
  terminal.type('\t')
  await terminal.see('❯ /context')
  terminal.type('\r')
  await terminal.see('tokens (')
})
