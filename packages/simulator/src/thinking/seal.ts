import { createHmac } from 'node:crypto'

/** Turns data into an opaque text that only the holder of the secret can make. */
export interface Seal<Payload> {
  close(payload: Payload): string
  /** `undefined` when the text was not made by `close`. */
  open(text: string): Payload | undefined
}

const MAC_LENGTH = 22

export function createSeal<Payload>(secret: string): Seal<Payload> {
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, MAC_LENGTH)
  return {
    close(payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return mac(body) + body
    },
    open(text) {
      const body = text.slice(MAC_LENGTH)
      if (mac(body) !== text.slice(0, MAC_LENGTH)) return undefined
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as Payload
    },
  }
}
