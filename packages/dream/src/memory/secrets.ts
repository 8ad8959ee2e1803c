import { lintSource } from '@secretlint/core'
import { creator as preset } from '@secretlint/secretlint-rule-preset-recommend'

/**
 * Kinds that the library's recommended rules leave out, or only know in the files in which programs keep them, such as
 * an AWS key beside its name. In prose, where people paste them, the form alone has to do.
 */
const FORMS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['AWS access key', /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/],
  ['AWS secret key', /\baws.{0,30}?['"\s:=]+[A-Za-z0-9/+]{40}\b/i],
  ['private key', /-----(?:BEGIN|END) [A-Z ]*PRIVATE KEY-----/],
  ['API key', /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)[-_][A-Za-z0-9_-]{16,}/],
  ['API key', /\bsk-[A-Za-z0-9]{20,}\b/],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['GitLab token', /\bgl(?:pat|rt|cbt|dt|soat)-[A-Za-z0-9_-]{20,}/],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/],
  ['SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/],
  ['Telegram token', /\b\d{8,10}:[A-Za-z0-9_-]{34,36}\b/],
  ['JSON web token', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
  ['storage key', /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[A-Za-z0-9+/=%]{20,}/],
  ['token in a header', /\b(?:bearer|basic)\s+[A-Za-z0-9._~+/-]{20,}=*/i],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/],
  ['PyPI token', /\bpypi-[A-Za-z0-9_-]{50,}/],
  ['Discord token', /\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/],
  ['credentials in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{3,}@/i],
  [
    'password',
    /\b(?:password|passwd|passphrase|pwd|passwort|kennwort|mot de passe|contraseña|senha|пароль|secret|api[ _-]?key|access[ _-]?token|auth[ _-]?token|pin(?: code)?)\b\s*(?:is|are|=|:|ist|lautet|est|es|é|—|-)+\s*["'`]?(?=[^\s"'`]*[\d!@#$%^&*_+=/-])[^\s"'`,;.]{4,}/iu,
  ],
  [
    'password',
    /(?<!\p{L})(?:password|passwd|passphrase|passwort|kennwort|contraseña|senha|пароль)\s+["'`]?(?=[^\s"'`]*\d)(?=[^\s"'`]*\p{L})[^\s"'`]{6,}/iu,
  ],
  ['password', /(?:密码|密碼|パスワード|비밀번호)\s*(?:是|は|는|은|:|：)?\s*[A-Za-z0-9!@#$%^&*_+=/-]{4,}/u],
  [
    'password',
    /(?<!\p{L})(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|senha|пароль|mot de passe)\s*(?:is|are|was|=|:|ist|lautet|est|es|é|—)+\s*["'`]?\S+/iu,
  ],
  ['password', /(?:密码|密碼|口令|パスワード|비밀번호)\s*(?:是|は|는|은|:|：|=)/u],
  [
    'password',
    /(?<!\p{L})(?:pass|pw|pwd|(?:wi-?fi|wlan|api|access|secret) key|clave|login|credentials?)\b\s*(?:is|are|=|:|es|for \w+ (?:is|equals))?\s*["'`]?(?:\S+\s*[/:]\s*)?(?=\S*\d)(?=\S*\p{L})[^\s"'`]{5,}/iu,
  ],
  ['code', /\b(?:door|gate|alarm|safe|access|entry|security|unlock) code\b/i],
  ['PIN', /\bpin\b\D{0,20}\d{4,8}\b/i],
  ['login', /\b[a-z][\w.-]*:(?=\S*\d)(?=\S*[A-Za-z])[^\s/:]{6,} (?:for|on|at|to) /i],
  ['recovery phrase', /\b(?:recovery|seed|mnemonic) (?:words?|phrase)\b/i],
  ['one-time secret', /\b(?:otp|totp|2fa|mfa)\b.{0,20}\b[A-Z2-7]{16,}\b/],
  ['password', /\bsshpass\s+-p/],
  ['token', /\b(?:gh[opsur]|dapi|xox[abprs])[_-]?\s?(?:underscore\s)?(?=\S*\d)[A-Za-z0-9]{16,}/i],
  ['AWS access key', /\bA\s?K\s?I\s?A(?:\s?[A-Z0-9]){16}\b/],
  ['key', /\b[0-9a-f]{32,}\b/i],
  ['secret', /\bsecret\s*[=:]\s*\S{8,}/i],
  ['SSH key', /\bssh-(?:rsa|ed25519|dss) AAAA/],
  ['card number', /\b(?:\d[ -]?){13,16}\b(?=\D|$)/],
  [
    'long random text',
    /\b(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])[A-Za-z0-9+/_-]{32,}={0,2}(?![A-Za-z0-9])/,
  ],
]

/** The kind of secret that stands in a text; `undefined` where none does. */
export async function findSecret(text: string): Promise<string | undefined> {
  const source = { filePath: '/memory.md', content: text, contentType: 'text' as const, ext: '.md' }
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset }] }
  const { messages } = await lintSource({ source, options: { config } })
  const [found] = messages
  if (found) return kindOf(found.ruleId)
  return FORMS.find(([kind, form]) => form.test(text) && (kind !== 'card number' || isCard(text)))?.[0]
}

function kindOf(rule: string): string {
  return `${rule.replace(/^.*secretlint-rule-/, '').replaceAll('-', ' ')} secret`
}

/** Long numbers are mostly orders and times: only one with the check digit of a card is taken for a card. */
function isCard(text: string): boolean {
  const found = text.match(/\b(?:\d[ -]?){13,16}\b/g) ?? []
  return found.some((number) => {
    const digits = [...number.replace(/\D/g, '')].map(Number).reverse()
    const sum = digits.reduce((total, digit, place) => {
      const doubled = place % 2 === 1 ? digit * 2 : digit
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
    return digits.length >= 13 && sum % 10 === 0
  })
}
