import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveModel } from '@nacre/core'
import { play } from './play.mjs'

// One session, compacted by summaries alone and by notes, with everything that the notes cost. Tokens are those that the
// simulator billed; they are priced as three models would, which differ in what they take for a cache read.
const MODELS = ['claude-sonnet-4-6', 'claude-opus-5-5', 'claude-fable-5-1']
const GROWTHS = [5_000, 15_000, 40_000]

const home = mkdtempSync(join(tmpdir(), 'nacre-notes-bench-'))
const played = [await play({ name: 'summaries alone', home })]
for (const growth of GROWTHS) {
  played.push(await play({ name: `notes, growth ${growth.toLocaleString('en')}`, home, growth }))
}
rmSync(home, { recursive: true, force: true })

/** Dollars of tokens by class. @param {import('@nacre/simulator').Totals} totals @param {string} model */
function dollars({ input, read, write5m, output }, model) {
  const price = resolveModel(model).price(100_000)
  return (input * price.input + read * price.read + write5m * price.write5m + output * price.output) / 1_000_000
}

const shares = MODELS.map((model) => {
  const { read, input } = resolveModel(model).price(100_000)
  return `${model} (${Number((read / input).toFixed(3))})`
})
const rows = [
  ['', 'compactions', 'waited for', 'updates', 'of them output', ...shares],
  ...played.map(({ name, receipts, ledger }) => {
    const compact = ledger.totals('compact')
    const updates = ledger.totals('session_memory')
    return [
      name,
      String(receipts.length),
      `${compact.output} tokens`,
      String(updates.requests),
      `${updates.output} tokens`,
      ...MODELS.map(
        (model) => `$${dollars(ledger.totals(), model).toFixed(2)}, notes $${dollars(updates, model).toFixed(2)}`,
      ),
    ]
  }),
]
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()}\n`,
  )

const byNotes = played.slice(1)
const isFree = byNotes.every(({ receipts }) => receipts.length > 0 && receipts.every(({ rung }) => rung === 'notes'))
if (!isFree) process.stdout.write('Not every compaction was made by notes.\n')
process.exitCode = isFree ? 0 : 1
