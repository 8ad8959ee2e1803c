/** Turns bytes into text as they come. */
export interface OutputCleaner {
  add(bytes: Uint8Array): string
  /** What was held back: the start of a character or of an escape sequence that never ended. */
  end(): string
}

/** Bounded, so that a stray escape character in binary data does not swallow what follows. */
const CONTROL = '\\[[0-?]{0,64}[ -/]{0,8}'
const STRING = '[\\]PX^_][^\\x07\\x1b\\n]{0,1024}'
const PLAIN = '[ -/]{0,8}'
/** Control sequences, strings such as titles and links, and what is left of others. `stripVTControlCharacters` of Node cuts links short that have a space in them. */
const ESCAPES = new RegExp(`\\x1b(?:${CONTROL}[@-~]|${STRING}(?:\\x07|\\x1b\\\\)|${PLAIN}[0-~])`, 'g')
const BEGUN = new RegExp(`\\x1b(?:${CONTROL}|${STRING}\\x1b?|${PLAIN})$`)
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g

/**
 * Decodes UTF-8 and takes escape sequences out, whatever the borders of the chunks. What is no text becomes U+FFFD.
 */
export function cleanOutput(): OutputCleaner {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  return {
    add(bytes) {
      const text = held + decoder.decode(bytes, { stream: true })
      const end = BEGUN.exec(text)?.index ?? text.length
      held = text.slice(end)
      return cleanText(text.slice(0, end))
    },
    end() {
      const text = held + decoder.decode()
      held = ''
      return cleanText(text)
    },
  }
}

/** A text without escape sequences; other control characters are shown as U+FFFD. */
function cleanText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '\uFFFD')
}
