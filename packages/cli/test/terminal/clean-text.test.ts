import { expect, it } from 'vitest'
import { commandPlace } from '../../src/commands/find-session.js'
import { cleanText, plainText } from '../../src/terminal/clean-text.js'
import { nacre } from '../commands/run-command.js'
import { stage } from '../session/stage.js'

const HOSTILE = 'a\u001b[31m\u001b]0;own\u0007b\u202e\u200f\u200b\u2066\u061c\ufeff\u{e0041}c\u009b2J\u2028d\u00ad'

it('leaves of a name what can be seen, in its order', () => {
  expect(cleanText(HOSTILE)).toBe('abcd')
  expect(cleanText('eins\r\nzwei\tdrei')).toBe('eins\nzwei  drei')
  expect(cleanText('👩‍👩‍👧 नमस्‍ते')).toBe('👩‍👩‍👧 नमस्‍ते')
})

it('leaves the same of a text that comes in pieces', () => {
  const pieces = Array.from(HOSTILE, plainText).join('')
  expect(pieces).toBe(plainText(HOSTILE))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(pieces).not.toMatch(/[\u0000-\u001f\u202e]/)
  expect(plainText('\tif (x)\n')).toBe('\tif (x)\n')
})

it('shows titles, reasons and errors of commands without what strangers have put in them', async () => {
  const on = await stage()
  const session = await commandPlace(on.terminal).store.open('one', new AbortController().signal)
  await session.append([{ kind: 'user', id: 'u', time: 0, content: [{ type: 'text', text: `Title ${HOSTILE}` }] }])
  await session.close()
  const said = [await nacre(on, 'sessions'), await nacre(on, 'log', 'one'), await nacre(on, 'log', `none ${HOSTILE}`)]
  for (const { out, err } of said) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u200f\u200b\u2066]/)
  }
  expect(said.map(({ out, err }) => out + err)).toEqual([
    // Titles are kept with spaces for all that is blank.
    expect.stringContaining('Title ab c d'),
    expect.stringContaining('Title abcd'),
    expect.stringContaining('abcd'),
  ])
})
