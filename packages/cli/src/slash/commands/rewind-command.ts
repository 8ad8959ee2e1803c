import { cleanText } from '../../text/clean-text.js'
import { findPrompt } from '../find-prompt.js'
import { misuse } from '../misuse.js'
import { promptsInView } from '../prompts-in-view.js'
import { say } from '../say.js'
import { shortId } from '../short-id.js'
import type { SlashCommand, SlashContext, SlashOutput } from '../slash-command.js'
import { cutText } from '../text/cut-text.js'
import { figures } from '../text/figures.js'
import { padText } from '../text/pad-text.js'

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
