import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, definePlugin, foldDraft } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { scripted, startSimulator } from '@nacre/simulator'
import { logCompactions } from './log-compactions.mjs'

// What there is to log: folds all but the last round. With `too long` it offers more words than it covers.
const folding = definePlugin({
  name: 'folding',
  setup: () => ({
    reliefs: [
      {
        name: 'folding',
        rung: 'summary',
        offer({ rounds }, { pressure }) {
          const [first, last] = [rounds.at(0), rounds.at(-2)]
          if (pressure === 'idle' || !first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          const frees = rounds.slice(0, -1).reduce((sum, round) => sum + round.tokens, 0)
          return { span, frees, dollars: 0, draft: ({ instructions }) => draftOf(span, instructions) }
        },
      },
    ],
  }),
})

const folder = await mkdtemp(join(tmpdir(), 'nacre-log-'))
const file = join(folder, 'compactions.jsonl')
const simulator = await startSimulator({ model: scripted(() => 'The rain fell in torrents. '.repeat(100)) })
const session = await createSession({
  model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL: simulator.url }),
  plugins: [folding, logCompactions(file)],
})
try {
  let receipts = 0
  session.events.on('receipt', () => {
    receipts += 1
  })
  await tell(1)
  await tell(2)
  await session.compact({ dryRun: true })
  await session.compact({ instructions: 'too long' })
  await session.compact()
  await tell(3)
  await session.compact()

  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line))
  for (const { failed, receipt } of entries) {
    console.log(failed ? `failed: ${failed}` : `${receipt.tokens.before} -> ${receipt.tokens.after} tokens`)
  }
  assert.equal(receipts, 2)
  assert.deepEqual(
    entries.map(({ receipt }) => receipt?.chain.count ?? 'failed'),
    ['failed', 1, 2],
  )
} finally {
  await session.close()
  await simulator.close()
  await rm(folder, { recursive: true })
}

/** @param {number} chapter */
async function tell(chapter) {
  const prompt = `Write chapter ${chapter}.`
  for await (const event of session.query(prompt)) if (event.type === 'end') assert.equal(event.reason, 'done')
}

/**
 * @param {import('@nacre/core').Span} span
 * @param {readonly string[]} instructions
 */
function draftOf(span, instructions) {
  const text = instructions.includes('too long') ? 'and then '.repeat(5000) : 'It rained.'
  return foldDraft(session.view(), span, text, { trigger: 'manual' })
}
