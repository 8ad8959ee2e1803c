import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { NacreError, type SessionStore } from '@nacre/core'
import { importClaudeCode } from '@nacre/core/import'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { commandPlace } from './find-session.js'

const AT_ONCE = 500

/** Keeps a session of another program as one of this project, and says what is not in it. */
export async function importSession(terminal: Terminal, path: string, as: string | undefined): Promise<number> {
  const file = resolve(terminal.cwd, path)
  const isFile = (await stat(file).catch(() => undefined))?.isFile() ?? false
  if (!isFile) {
    const where = 'Sessions of Claude Code are below ~/.claude/projects, a file for each.'
    throw new NacreError('NOT_FOUND', `${file} is no file that can be read. ${where}`)
  }
  const { store } = commandPlace(terminal)
  const id = as?.trim() ?? basename(file).replace(/\.jsonl?$/, '')
  if (id === '') throw new NacreError('INVALID_SETTINGS', '--as has to be followed by an id, such as old-session.')
  if (((await store.peek?.(id)) ?? []).length > 0) {
    throw new NacreError('INVALID_SETTINGS', `There is a session ${id} already. Give the new one another id with --as.`)
  }
  const { entries, notices } = await importClaudeCode(createInterface({ input: createReadStream(file) }))
  if (entries.length === 0) {
    throw new NacreError(
      'NOT_FOUND',
      `${file} has no messages of a session of Claude Code in it. Nothing was imported.`,
    )
  }
  const session = await store.open(id, AbortSignal.timeout(60_000))
  try {
    await keep(session, [...entries, ...notices])
  } finally {
    await session.close()
  }
  const notes = notices.map(({ text }) => `  ${text}`)
  const lines = [
    `Imported ${entries.length} entries as session ${id}.`,
    ...notes,
    `Go on with it by: nacre --resume ${id}`,
  ]
  terminal.stdout.write(`${cleanText(lines.join('\n'))}\n`)
  return EXIT.done
}

async function keep(session: SessionStore, entries: Parameters<SessionStore['append']>[0]): Promise<void> {
  for (let start = 0; start < entries.length; start += AT_ONCE)
    await session.append(entries.slice(start, start + AT_ONCE))
}
