import { cleanText } from '../terminal/clean-text.js'
import { type FoundId, findId, findPrompt, logEntries, promptsInView } from './find-entry.js'
import { cutText, figures, padText, shortId } from './format.js'
import { misuse, type SlashCommand, type SlashContext, type SlashOutput, say, startingWith } from './slash-command.js'

/** Lists what the person has said, and takes the conversation back to before one of it. */
export const rewindCommand: SlashCommand = {
  name: 'rewind',
  help: 'Lists what you have said; with a number or an id, takes the conversation back to before that. Files stay.',
  example: '/rewind 2',
  async run(args, context) {
    if (args === '') return listed(context)
    const { session } = context.opened
    const found = findPrompt(args, session)
    if ('wrong' in found) return misuse(found.wrong, rewindCommand, context)
    const said = promptsInView(session.view()).find(({ id }) => id === found.id)
    const before = session.view().tokens.total
    const edit = await session.rewind(found.id)
    const freed = figures.count(Math.max(0, before - session.view().tokens.total))
    const what = said ? `before '${cutText(cleanText(said.text), 60)}'` : `before message ${shortId(found.id)}`
    const how = `${freed} tokens freed. Files are as they were. /undo ${shortId(edit.id)} brings it back.`
    return say(`The conversation is back to ${what}: ${how}`, context)
  },
}

function listed(context: SlashContext): SlashOutput {
  const prompts = promptsInView(context.opened.session.view())
  if (prompts.length === 0) return say('Nothing that you have said is in view.', context)
  const numbers = String(prompts.length).length
  const room = Math.max(4, context.width - numbers - 2)
  const lines = prompts.map(({ id, text }, index) => {
    const number = padText(String(index + 1), numbers, 'right')
    const isWide = room >= 40
    return `${number}  ${isWide ? `${shortId(id)}  ` : ''}${cutText(cleanText(text), isWide ? room - 10 : room)}`
  })
  const hint = say('/rewind <number> takes the conversation back to before one of these.', context).text
  return { text: [...lines, hint].join('\n') }
}

/** Takes back a compaction, a clearing, a rewind or any other edit. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  help: 'Takes back the last compaction, clearing or rewind, or the edit named: [id] [force]; /log shows ids.',
  example: '/undo 3f2a91c0',
  complete: (typed) => startingWith(typed, ['force']),
  async run(args, context) {
    const { session } = context.opened
    const words = args.split(/\s+/).filter((word) => word !== '')
    const force = words.at(-1) === 'force'
    const [typed, tooMuch] = force ? words.slice(0, -1) : words
    if (tooMuch !== undefined) return misuse(`One edit at a time: '${tooMuch}' is one too many.`, undoCommand, context)
    const found = typed === undefined ? undefined : await findEdit(typed, context)
    if (found && 'wrong' in found) return misuse(found.wrong, undoCommand, context)
    const before = session.view().tokens.total
    const done = await session.undo({ ...(found && { edit: found.id }), force })
    const after = session.view().tokens.total
    const sizes = `${figures.count(before)} → ${figures.count(after)} tokens`
    const what = done.reason.replace(/^undo: /, '')
    return say(`Taken back: ${what}. ${sizes}. /undo ${shortId(done.id)} brings it in again.`, context)
  },
}

async function findEdit(typed: string, { opened, signal }: SlashContext): Promise<FoundId> {
  const entries = await logEntries(opened.session, signal)
  const ids = entries.filter(({ kind }) => kind === 'edit').map(({ id }) => id)
  const found = findId(typed, ids, 'edit')
  return 'wrong' in found ? { wrong: `${found.wrong} /log shows the edits with their ids.` } : found
}

/** Begins anew in the same session. */
export const clearCommand: SlashCommand = {
  name: 'clear',
  help: 'Begins anew with an empty conversation; the log keeps what was, and /undo brings it back.',
  example: '/clear',
  async run(args, context) {
    if (args !== '') return misuse('/clear takes no arguments.', clearCommand, context)
    const { session } = context.opened
    const before = session.view().tokens.total
    const edit = await session.clear()
    if (!edit) return say('There is nothing to clear.', context)
    const freed = Math.max(0, before - session.view().tokens.total)
    return say(`Cleared: ${figures.count(freed)} tokens freed. /undo ${shortId(edit.id)} brings it back.`, context)
  },
}
