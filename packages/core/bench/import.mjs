// Imports whole Claude Code sessions: node bench/import.mjs --data <folder of .jsonl files>, or NACRE_TRANSCRIPTS=<folder>
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createConversation, estimateBlock } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { importClaudeCode } from '@nacre/core/import'
import { startSimulator } from '@nacre/simulator'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const folder = values.data ?? process.env.NACRE_TRANSCRIPTS
const files = folder && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []

if (folder === undefined) console.log('No sessions to import: name a folder by NACRE_TRANSCRIPTS.')
else if (files.length === 0) {
  console.error(`There are no sessions in ${folder}.`)
  process.exitCode = 1
}

const simulator = files.length > 0 ? await startSimulator() : undefined
for (const name of files) {
  const path = join(folder, name)
  const started = performance.now()
  const { entries, notices } = await importClaudeCode(createInterface({ input: createReadStream(path) }))
  const milliseconds = Math.round(performance.now() - started)
  const count = (kind) => entries.filter((entry) => entry.kind === kind).length
  const megabytes = (statSync(path).size / 1e6).toFixed(1)
  console.log(`${name}: ${megabytes} MB in ${milliseconds} ms`)
  console.log(`  ${count('assistant')} responses, ${count('user')} prompts and results, ${count('edit')} edits`)
  for (const { level, text } of notices) console.log(`  ${level}: ${text}`)
  const { messages, tokens } = await counted(entries)
  console.log(`  ${messages} messages rendered; the simulator takes them: ${tokens} tokens`)
}
await simulator?.close()

/** Renders a log and lets the simulator count it, which refuses whatever the API would. */
async function counted(entries) {
  const conversation = createConversation({
    store: { append: async () => undefined },
    rules: { isBound: true, hasSystemRole: true, reads: () => true, estimate: estimateBlock },
    epoch: { system: [], tools: [] },
    writePrice: () => 1,
    now: () => 0,
    newId: () => '',
  })
  for (const entry of entries) conversation.restore(entry)
  const { messages, prefix } = conversation.rendering()
  const model = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'bench', baseURL: simulator.url })
  const sent = messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) }))
  // A log may end with an answer, and then there is nothing to ask.
  const asked = sent.at(-1)?.role === 'assistant' ? [...sent, { role: 'user', content: 'Go on.' }] : sent
  const request = { model: model.info.id, epoch: conversation.epoch(), messages: asked, fields: {}, prefix }
  return { messages: messages.length, tokens: await model.count(request, new AbortController().signal) }
}
