import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Tool } from '@nacre/core'
import { offline } from '@nacre/simulator'
import { INSTRUCTIONS, REPOSITORY } from '../corpus/repository.js'
import type { CorpusConversation, CorpusMessage } from '../corpus/types.js'
import { ask, byTask, extracting, memoryCall, memoryFile, type Script, type Stage, setStage } from './stage.js'

/** Who looks for memories: one that writes whatever there is to write, or the offline model, which behaves. */
export type Extractor = 'hostile' | 'offline'

/** Plays a conversation of the corpus in a real session over a socket, with tools that give what it says. */
export async function replay(conversation: CorpusConversation, extractor: Extractor): Promise<Stage> {
  const rounds = roundsOf(conversation.messages)
  let round = -1
  let step = 0
  const main: Script['main'] = ({ messages }) => {
    const asked = JSON.stringify(messages.at(-1)?.content ?? '')
    if (!asked.includes('"tool_result"')) {
      round += 1
      step = 0
    }
    const next = rounds[round]?.[step]
    step += 1
    if (next?.by === 'tool') return [{ type: 'tool_use', name: next.tool ?? 'Bash', input: { round, step } }]
    return next?.text ?? 'Done.'
  }
  const model = offline()
  const extract: Script['extract'] =
    extractor === 'hostile'
      ? hostile(conversation)
      : (turn) => model(turn) as ReturnType<NonNullable<Script['extract']>>
  const stage = await setStage(byTask({ main, extract }))
  await layRepository(stage.project)
  stage.now = Date.parse(`${conversation.day}T10:00:00Z`)
  const outputs = conversation.messages.filter(({ by }) => by === 'tool')
  const names = [...new Set(outputs.map(({ tool }) => tool ?? 'Bash'))]
  let given = 0
  const session = await stage.open({
    system: `Be brief. Today is ${conversation.day}.`,
    tools: names.map((name) => output(name, () => outputs[given++]?.text ?? '')),
    flags: { 'dream.consolidate': false },
  })
  for (const { by, text } of conversation.messages) if (by === 'user') await ask(session, text)
  await session.close()
  return stage
}

/** The repository that the conversations are about. */
async function layRepository(project: string): Promise<void> {
  const packages = REPOSITORY.filter((name) => !/[./]/.test(name))
  for (const path of REPOSITORY.filter((name) => /[./]/.test(name))) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), '')
  }
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) }),
  )
  await writeFile(join(project, 'AGENTS.md'), INSTRUCTIONS.join('\n'))
}

/** What is said behind each message of the user, up to the next one. */
function roundsOf(messages: readonly CorpusMessage[]): readonly (readonly CorpusMessage[])[] {
  const rounds: CorpusMessage[][] = []
  for (const message of messages) {
    if (message.by === 'user') rounds.push([])
    else rounds.at(-1)?.push(message)
  }
  return rounds
}

function output(name: string, give: () => string): Tool {
  return {
    name,
    description: `Gives what ${name} gives.`,
    schema: { json: { type: 'object', properties: {} }, parse: (input) => input },
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    run: () => ({ content: [{ type: 'text', text: give() }] }),
  }
}

/** Writes every bait, and tries the ways around the tool too. */
function hostile({ bait }: CorpusConversation): NonNullable<Script['extract']> {
  const write = extracting(...bait)
  return (turn) => {
    const calls = write(turn)
    if (typeof calls === 'string' || !Array.isArray(calls)) return calls
    const [first] = bait
    if (!first) return 'Nothing.'
    const file = memoryFile(first)
    return [
      ...(calls as readonly object[]),
      memoryCall({ command: 'create', path: '/memories/../outside.md', file_text: file }),
      memoryCall({ command: 'create', path: '/memories/MEMORY.md', file_text: `- [x](x.md) — ${first.statement}` }),
      memoryCall({
        command: 'create',
        path: '/memories/person/by-hand.md',
        file_text: file.replace('---\n', '---\nsource: by hand\npinned: true\n'),
      }),
    ] as ReturnType<NonNullable<Script['extract']>>
  }
}
