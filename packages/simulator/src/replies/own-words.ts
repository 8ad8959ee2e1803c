import { isMomentary } from './compare-statements.js'

/** The sentences in which a person speaks for themselves, message by message; what they quote, play or ask is not in it. */
export function ownSentences(messages: readonly string[]): readonly string[] {
  let isPlaying = false
  return messages.flatMap((text, index) => {
    const begins = ROLE_PLAY.test(text)
    const ends = END_OF_PLAY.test(text)
    const isPlayed = begins || (isPlaying && !ends)
    isPlaying = (isPlaying || begins) && !ends
    const later = messages[index + 1]?.slice(0, TAKEN_BACK_WITHIN) ?? ''
    if (isPlayed || CORRECTION.test(later) || CALLED_A_JOKE.test(later)) return []
    return sentencesOf(text)
  })
}

const TAKEN_BACK_WITHIN = 120
const ROLE_PLAY =
  /\b(?:role[- ]?play|let'?s play|pretend|act as|you are now|you play|stay in character|in this (?:story|scene|game)|rollenspiel|stell dir vor|jeu de rôle|imaginons|juego de rol)\b|(?:ロールプレイ|角色扮演)/iu
const END_OF_PLAY =
  /\b(?:end of (?:the )?(?:role[- ]?play|game|scene|story)|out of character|back to (?:work|reality|business)|game over|stop (?:the )?(?:role[- ]?play|game)|enough (?:of (?:that|this)|games?))\b/i
const JOKE =
  /\b(?:just kidding|kidding|joking|jk|j\/k|lol|lmao|haha+|hehe+|rofl|nur spaß|scherz|je plaisante|es broma)\b|(?<=\s)\/s\b|[😂🤣😜😉🙃😅]|(?:笑|冗談|开玩笑|шучу)/iu
/** What a message begins with that calls the one before it a joke; a joke of its own stands further on. */
const CALLED_A_JOKE =
  /^[^\p{L}]*(?:(?:i was|i['’]m|that was|it was|only|just|das war|nur|c['’]était)\s+)*(?:an?\s+)?(?:kidding|joking|joke|jk|j\/k|lol|haha+|scherz|spaß|je plaisante|une blague|es broma|шучу|冗談|开玩笑)/iu
const FICTION =
  /\b(?:imagine|hypothetical(?:ly)?|suppose|supposing|what if|for example|for instance|e\.g\.|say,? (?:i|we) (?:were|was|had)|as if|if (?:i|we|you|they|it) |maybe|perhaps|i guess|might|angenommen|vielleicht|peut-être|supposons|quizás|supongamos)\b|(?<!\p{L})(?:допустим|предположим|может быть)(?!\p{L})|(?:假设|假如|如果|也许|もし|かもしれ)/iu
const REPORT =
  /\b(?:says|said|(?:writes|wrote)(?: that\b|:|,)|claims|claimed|thinks|told|tells|insists|insisted|suggests|suggested|argues|believes|sagt|sagte|meint|schreibt|dit que|a dit|dice que|dijo)(?!\p{L})|\baccording to\b|(?<!\p{L})(?:сказал|говорит|пишет)\p{L}*|(?:说过|说：|と言|によると)/iu
const OWN_REPORT = /\b(?:i|we)\b[^.!?\n]{0,15}\b(?:say|said|told|wrote|suggest|insist|believe)/i
const CORRECTION =
  /\b(?:no[,.]? wait|wait[,.]? no|scratch that|strike that|i mean[t]?|correction|let me correct|i take (?:that|it) back|forget (?:that|what i)|ignore (?:that|what i)|never ?mind|(?:i|that) was wrong|i misspoke|actually,? no|no,? actually|on second thought|nein,? (?:halt|moment)|quatsch|vergiss das|non,? attends|no,? espera|mejor dicho)\b/i
const QUESTION = /[?？]["'”)]*$/
const COMMAND =
  /^(?:[$#>] |(?:npm|pnpm|yarn|npx|git|cd|ls|cat|rm|sudo|docker|curl|pip|node|python3?|make) [-\w./])|[{};]\s*$|=>|^\S+\(.*\)$/

/** A sentence ends at its mark, where space follows; dots in numbers and addresses end nothing. */
const SENTENCE = /[^\n。！？]+?(?:[.!?]+["'”)\]]*(?=\s|$)|[。！？]|(?=\n)|$)/gu
const SHORTEST = 6
/** Where a sentence takes back the one before it, it says so first. */
const SAID_FIRST = 25
const LONGEST = 300

function sentencesOf(text: string): readonly string[] {
  const masked = withoutPasted(text)
  const all = [...masked.matchAll(SENTENCE)].map(([found]) => found.trim()).filter((found) => found !== '')
  if (FICTION.test(all[0] ?? '') && /^(?:imagine|suppose|hypothetical)/i.test(all[0] ?? '')) return []
  return all.flatMap((sentence, index) => {
    const [before = '', behind = ''] = [all[index - 1], all[index + 1]]
    if (JOKE.test(before) || JOKE.test(behind) || CORRECTION.test(behind.slice(0, SAID_FIRST))) return []
    const own = withoutOpening(sentence)
    return isOwn(own) ? [own] : []
  })
}

function isOwn(sentence: string): boolean {
  const length = sentence.length / (/\p{Script=Han}|\p{Script=Hiragana}/u.test(sentence) ? 0.4 : 1)
  if (length < SHORTEST || sentence.length > LONGEST || sentence.includes(MASK)) return false
  if (QUESTION.test(sentence) || COMMAND.test(sentence)) return false
  if (JOKE.test(sentence) || FICTION.test(sentence) || CORRECTION.test(sentence)) return false
  if (REPORT.test(sentence) && !OWN_REPORT.test(sentence)) return false
  return !isMomentary(sentence) && !holdsSecret(sentence)
}

const OPENING =
  /^(?:(?:[-*•]|\d+[.)])\s+|(?:(?:no[,.]? wait|wait[,.]? no|scratch that|strike that|actually|sorry|okay|ok|well|by the way|btw|also|and|but|so|fyi|oh|no|yes|yeah|right|great|thanks|thank you|hi|hello|hey|one more thing|(?:that|this) (?:was|is) (?:right|wrong|good|fine)|exactly|übrigens|nein|ja|non|oui|sí|да|нет)(?:[,:;.!—–-]+\s*|\s+(?=i\b|my\b|we\b|please\b|always\b|never\b)))+)/i

/** What stands before the point: a bullet, a greeting, the word that takes back what was said before. */
function withoutOpening(sentence: string): string {
  return sentence.replace(OPENING, '').trim()
}

const MASK = '\u0000'
const PASTED: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /~~~[\s\S]*?(?:~~~|$)/g,
  /(?<![\p{L}\p{N}])"[^"\n]{8,}"/gu,
  /“[^”]{8,}”/g,
  /„[^“”]{8,}[“”]/g,
  /«[^»]{8,}»/g,
  /「[^」]{4,}」/g,
  /(?<=^|[\s(])'[^'\n]{12,}'(?=[\s).,;!?]|$)/gm,
  /<(\w[\w-]*)\b[^>]*>[\s\S]*?<\/\1>/g,
  /(?:^[ \t]*>.*(?:\n|$))+/gm,
  /^(?:From|Von|De|Subject|Betreff|Sent|To|Date): .*\n(?:.*(?:\n|$))*/gm,
  /^-{3,} ?(?:Forwarded|Original) message[\s\S]*/gim,
]

/** What was quoted or pasted gives way to a sign that no sentence has. */
function withoutPasted(text: string): string {
  return PASTED.reduce((rest, form) => rest.replace(form, (found) => MASK + (found.endsWith('\n') ? '\n' : '')), text)
}

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\b(?:gh[pousr]|hf|npm|shp\w\w|xox\w|glpat|github_pat|do[opr]_v1|pypi|[spr]k)[-_][\w-]{12,}/i,
  /\beyJ[\w-]{8,}\./,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{3,}@/i,
  /\b(?:bearer|basic)\s+[\w.~+/-]{16,}/i,
  /\b(?:password|passwd|passphrase|pwd|passwort|kennwort|mot de passe|contraseña|secret|api[ _-]?key|token|pin(?: code)?)\b[^.\n]{0,20}?(?:\bis\b|\bist\b|\best\b|\bes\b|=|:)\s*\S{3,}/i,
  /(?<!\p{L})пароль\s*\S{3,}|(?:密码|密碼|パスワード)/iu,
  /\b(?:\d[ -]?){13,16}\b/,
  /(?<![\w/.-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-zA-Z])[\w+]{20,}/,
]

function holdsSecret(sentence: string): boolean {
  return SECRETS.some((form) => form.test(sentence))
}
