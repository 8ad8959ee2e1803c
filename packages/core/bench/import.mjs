// Imports whole Claude Code sessions: node bench/import.mjs --data <folder of .jsonl files>
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { importClaudeCode } from '@nacre/core/import'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const folder = values.data
const files = folder && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []

if (folder === undefined) console.log('No sessions to import: name a folder with --data <folder>.')
else if (files.length === 0) {
  console.error(`There are no sessions in ${folder}.`)
  process.exitCode = 1
}

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
}
