import { holdsSecret } from './secret-forms.js'
import { isPointer, isSecretName } from './secret-names.js'

/**
 * The environment that a caged command gets: without keys, tokens and passwords, known by their names or by their form, and
 * without what leads to agents and sockets outside. What a build needs stays. A value is judged once and then remembered.
 */
export async function cleanEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const judged = await Promise.all(
    given.map(async ([name, value]) => ({ name, value, isKept: await isClean(name, value) })),
  )
  const secrets = judged
    .filter(({ name, value, isKept }) => !isKept && isTelling(name, value))
    .map(({ value }) => value)
  const kept = judged.filter(
    ({ name, value, isKept }) => isKept && (ALWAYS.test(name) || !secrets.some((secret) => value.includes(secret))),
  )
  return withWholeGitSettings(Object.fromEntries(kept.map(({ name, value }) => [name, value])), env)
}

/** Without these nothing runs, and they are places and languages. */
const ALWAYS = /^(?:PATH|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|TZ|TMPDIR|NACRE_COMMAND)$/

/** A secret that is long enough that it does not stand in another variable by chance. */
function isTelling(name: string, value: string): boolean {
  return !isPointer(name) && value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes('/')
}

const MOST_REMEMBERED = 4_000
const remembered = new Map<string, Promise<boolean>>()

function isClean(name: string, value: string): Promise<boolean> {
  const key = `${name}=${value}`
  const known = remembered.get(key)
  if (known) return known
  const judgement = judge(name, value)
  // What could not be judged is asked about again the next time.
  judgement.catch(() => remembered.delete(key))
  remembered.set(key, judgement)
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? key)
  return judgement
}

async function judge(name: string, value: string): Promise<boolean> {
  if (ALWAYS.test(name)) return true
  if (isPointer(name)) return false
  // Git's settings come in pairs: their names are numbers, and what they are called stands in the other one.
  if (!/^GIT_CONFIG_(?:KEY|VALUE)_\d+$/.test(name) && isSecretName(name, value)) return false
  return !(await holdsSecret(name, value))
}

/** Git refuses to work where one of its numbered settings is missing: what is left is numbered anew. */
function withWholeGitSettings(
  env: Record<string, string>,
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const count = Number(given.GIT_CONFIG_COUNT ?? 0)
  if (!(count > 0 && count < 10_000)) return env
  const rest = Object.entries(env).filter(([name]) => !/^GIT_CONFIG_(?:KEY_|VALUE_|COUNT$)/.test(name))
  const pairs: [string, string][] = []
  for (let at = 0; at < count; at++) {
    const [key, value] = [env[`GIT_CONFIG_KEY_${at}`], env[`GIT_CONFIG_VALUE_${at}`]]
    if (key !== undefined && value !== undefined && !isSecretName(settingName(key), value)) pairs.push([key, value])
  }
  const numbered = pairs.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return Object.fromEntries([...rest, ['GIT_CONFIG_COUNT', String(pairs.length)], ...numbered])
}

/** `http.https://host/.extraHeader` by its last part; what a credential helper is called is no secret. */
function settingName(key: string): string {
  const last = key.slice(key.lastIndexOf('.') + 1)
  return /^extraheader$/i.test(last) ? 'HEADERS' : last
}
