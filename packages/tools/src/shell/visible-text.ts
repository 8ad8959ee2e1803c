// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A command as a person has to see it before saying yes: nothing in it moves the cursor, hides or turns text around. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What a command of many lines begins with. */
export function firstLine(command: string): string {
  const [line = '', ...more] = command.trim().split('\n')
  return more.length > 0 ? `${line} …` : line
}
