import { expect, it } from 'vitest'
import { isNacreError } from '../../nacre-error.js'
import { codeOf, idsOf, never, user } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** One holder at a time. */
export function leaseContract(factory: StoreFactory): void {
  it('gives a session to one opener and tells the next one who holds it', async () => {
    const store = await factory()
    const first = await store.open('one', never)
    const error = await store.open('one', never).catch((reason: unknown) => reason)
    expect(isNacreError(error, 'SESSION_BUSY')).toBe(true)
    if (!isNacreError(error)) return
    expect(error.details.holder).toBeTruthy()
    expect(error.message).toContain(error.details.holder)
    await first.append([user('a', '')])
    await first.close()
    const next = await store.open('one', never)
    expect(await idsOf(next.read())).toEqual(['a'])
    await next.close()
  })

  it('gives a lease to one holder until it is released', async () => {
    const store = await factory()
    const lease = await store.lease('dream', never)
    expect(lease).toBeDefined()
    expect(await store.lease('dream', never)).toBeUndefined()
    const other = await store.lease('other', never)
    expect(other).toBeDefined()
    await lease?.release()
    const next = await store.lease('dream', never)
    expect(next).toBeDefined()
    await lease?.release()
    expect(await store.lease('dream', never)).toBeUndefined()
    await Promise.all([next?.release(), other?.release()])
  })

  it('has a session and a lease of the same name apart', async () => {
    const store = await factory()
    const session = await store.open('same', never)
    const lease = await store.lease('same', never)
    expect(lease).toBeDefined()
    await Promise.all([session.close(), lease?.release()])
  })

  it('opens nothing once the signal has fired', async () => {
    const store = await factory()
    expect(await codeOf(store.open('one', AbortSignal.abort()))).toBe('ABORTED')
    expect(await codeOf(store.lease('one', AbortSignal.abort()))).toBe('ABORTED')
    await (await store.open('one', never)).close()
  })
}
