import { sentencesOf } from '../memory/statement.js'

const FIRST_PERSON =
  /(?<!\p{L})(?:i|i['’]m|i['’]ve|i['’]d|my|mine|me|we|we['’]re|our|ours|us|ich|mein\p{L}*|mir|mich|wir|unser\p{L}*|uns|je|j['’]\p{L}+|mon|ma|mes|moi|nous|notre|nos|yo|mi|mis|nosotros|nuestr\p{L}+|eu|meu|minha|nós|nosso|io|mio|mia|noi|nostr\p{L}+|я|мой|моя|мне|мы|наш\p{L}*|prefiero|trabajo|préfère)(?!\p{L})/iu
const DURABLE =
  /(?<!\p{L})(?:always|never|prefer|don['’]?t|do not|stop|instead|from now on|remember|deadline|freeze|release|launch|decided|decision|because|owner|owns|lead|on[- ]call|client|customer|policy|rule|must not|convention|dashboard|tracker|channel|immer|nie|niemals|bitte|ab jetzt|toujours|jamais|siempre|nunca|всегда|никогда)(?!\p{L})|https?:\/\/|\b\d{4}-\d{2}-\d{2}\b/iu
const OTHER_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}]/u
const FEWEST_WORDS = 4

/** Whether a message of the user could hold a fact worth remembering. Cheap, and generous: its no saves a model call. */
export function couldHoldFact(message: string): boolean {
  const own = message
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^[ \t]*>.*$/gm, ' ')
    .trim()
  if (own === '' || own.startsWith('/')) return false
  return sentencesOf(own).some(({ text }) => {
    if (OTHER_SCRIPTS.test(text)) return text.length >= 6
    const words = text.split(/\s+/).length
    return words >= FEWEST_WORDS && (FIRST_PERSON.test(text) || DURABLE.test(text))
  })
}
