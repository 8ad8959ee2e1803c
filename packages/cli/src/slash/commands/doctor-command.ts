import type { Diagnosis } from '../../session/session-controls.js'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { type Colour, paint } from '../text/paint.js'
import { wrapText } from '../text/wrap-text.js'

const MARKS: Readonly<Record<Diagnosis['status'], readonly [mark: string, colour: Colour]>> = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  failed: ['failed', 'red'],
}

/** Looks at what the program needs to work. */
export const doctorCommand: SlashCommand = {
  name: 'doctor',
  help: 'Checks what the program needs to work, and says what to do where something is wrong.',
  example: '/doctor',
  async run(args, context) {
    if (args !== '') return misuse('/doctor takes no arguments.', doctorCommand, context)
    const { controls, isOffline } = context.opened
    const found = await controls.diagnose(context.signal)
    const told = isOffline ? found.map(withoutKey) : found
    return { text: told.flatMap((diagnosis) => lines(diagnosis, context)).join('\n') }
  },
}

/** What is offline misses no key. */
function withoutKey(diagnosis: Diagnosis): Diagnosis {
  if (diagnosis.name !== 'key' || diagnosis.status === 'ok') return diagnosis
  return { name: 'key', status: 'ok', detail: 'none, and none is needed offline' }
}

function lines({ name, status, detail, remedy }: Diagnosis, { width, hasColour }: SlashContext): string[] {
  const [mark, colour] = MARKS[status]
  const [first = '', ...rest] = wrapText(cleanText(`${mark}  ${name}: ${detail}`), width)
  return [
    paint(mark, colour, hasColour) + first.slice(mark.length),
    ...rest.map((line) => `  ${line}`).flatMap((line) => wrapText(line, width)),
    ...(remedy === undefined ? [] : wrapText(cleanText(remedy), width, 2)),
  ]
}
