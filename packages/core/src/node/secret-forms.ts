import { NacreError } from '../nacre-error.js'

const SHORTEST = 4

/** A secret as it is, and as it stands in JSON text. The longest comes first. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < SHORTEST) {
    throw new NacreError(
      'INVALID_REQUEST',
      `A secret has at least ${SHORTEST} characters: a shorter one is everywhere.`,
    )
  }
  const inJson = JSON.stringify(secret).slice(1, -1)
  return inJson === secret ? [secret] : [inJson, secret]
}
