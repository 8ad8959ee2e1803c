import { isNacreError } from '../errors.js'
import type { Entry, StateEntry, UserEntry } from '../types/log.js'
import type { Store } from '../types/store.js'
import { describe, expect, it } from './vitest.js'

/** What every store promises to a session. Call it in a vitest file. */
export function storeContract(label: string, factory: StoreFactory): void {
  describe(`${label} keeps the contract of a store`, () => {
    for (const part of PARTS) part(factory)
  })
}

/** For what is not stopped. */
const never: AbortSignal = new AbortController().signal

const PARTS = [logContract, openContract, blobContract, leaseContract, listContract]

/** Blobs, and what names can do. */
function blobContract(factory: StoreFactory): void {
  it('keeps blobs with the log, from text and from a stream', async () => {
    const store = await factory()
    const first = await store.open('one', never)
    const text = await first.put('out.txt', 'grün')
    const streamed = await first.put('big.bin', stream(['one', 'two', 'three']))
    expect([text.bytes, streamed.bytes]).toEqual([5, 11])
    await first.close()
    const second = await store.open('one', never)
    expect(await textOf(second.get(text.blob))).toBe('grün')
    expect(await textOf(second.get(streamed.blob))).toBe('onetwothree')
    await second.close()
  })

  it('gives a session the blobs of another, under their names', async () => {
    const store = await factory()
    const one = await store.open('one', never)
    const text = await one.put('out.txt', 'of one')
    const streamed = await one.put('x'.repeat(500), stream(['one', 'two']))
    const two = await store.open('two', never)
    await store.copyBlobs('one', 'two')
    expect(await textOf(two.get(text.blob))).toBe('of one')
    expect(await textOf(two.get(streamed.blob))).toBe('onetwo')
    const own = await two.put('out.txt', 'of two')
    expect(await textOf(two.get(text.blob))).toBe('of one')
    expect(await textOf(two.get(own.blob))).toBe('of two')
    await store.copyBlobs('one', 'two')
    await store.copyBlobs('nobody', 'two')
    await Promise.all([one.close(), two.close()])
    const again = await store.open('two', never)
    expect(await textOf(again.get(text.blob))).toBe('of one')
    expect(await textOf(again.get(own.blob))).toBe('of two')
    await again.close()
  })

  it('reads a range of a blob: the start is in it, the end is not', async () => {
    const session = await (await factory()).open('one', never)
    const { blob } = await session.put('digits', '0123456789')
    expect(await textOf(session.get(blob, { start: 2, end: 5 }))).toBe('234')
    expect(await textOf(session.get(blob, { start: 8, end: 99 }))).toBe('89')
    expect(await textOf(session.get(blob, { start: 10, end: 12 }))).toBe('')
    await session.close()
  })

  it('never writes one blob over another, and takes any name', async () => {
    const session = await (await factory()).open('one', never)
    const names = [
      'same.txt',
      'same.txt',
      '../../etc/passwd',
      '',
      '..',
      'a/b\\c:d\u0000',
      'x'.repeat(500),
      'x'.repeat(500),
      'con',
    ]
    const blobs = await Promise.all(names.map((name, index) => session.put(name, `${index}`)))
    expect(new Set(blobs.map(({ blob }) => blob)).size).toBe(names.length)
    for (const [index, { blob }] of blobs.entries()) expect(await textOf(session.get(blob))).toBe(`${index}`)
    for (const name of ['missing', '../one', '']) expect(await codeOf(textOf(session.get(name)))).toBe('NOT_FOUND')
    await session.close()
  })

  it('keeps nothing of a stream that breaks off', async () => {
    const session = await (await factory()).open('one', never)
    await expect(session.put('cut', stream(['begun', new Error('broke off')]))).rejects.toThrow('broke off')
    expect(await codeOf(textOf(session.get('cut')))).toBe('NOT_FOUND')
    await session.close()
  })
}

async function* stream(parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield new TextEncoder().encode(part)
  }
}

/** One holder at a time. */
function leaseContract(factory: StoreFactory): void {
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

/** The list of sessions. */
function listContract(factory: StoreFactory): void {
  it('lists sessions newest first with their titles', async () => {
    const store = await factory()
    const sessions: Record<string, Entry[]> = {
      old: [{ ...user('a', 'for the model', 1), isMeta: true }, user('b', 'Fix\n the  login bug', 10)],
      newest: [user('a', 'long '.repeat(50), 1), user('b', 'second', 30)],
      named: [user('a', 'hello', 1), state('b', 'title', 'First', 2), state('c', 'title', 'Last', 20)],
      mute: [state('a', 'plan', null, 5)],
    }
    for (const [id, entries] of Object.entries(sessions)) {
      const session = await store.open(id, never)
      await session.append(entries)
      await session.close()
    }
    await (await store.open('empty', never)).close()
    const listed = []
    for await (const summary of store.list()) listed.push(summary)
    expect(listed).toEqual([
      { id: 'newest', title: 'long '.repeat(16).trim(), time: 30 },
      { id: 'named', title: 'Last', time: 20 },
      { id: 'old', title: 'Fix the login bug', time: 10 },
      { id: 'mute', title: '', time: 5 },
    ])
  })
}

/** Appends and reads. */
function logContract(factory: StoreFactory): void {
  it('gives entries back oldest first, also to the next opener', async () => {
    const store = await factory()
    const first = await store.open('one', never)
    const entries = [user('a', 'line\nbreak \u2028 ünïcode 🐚'), state('b', 'plan', { steps: [1, null, 'x'] })]
    await first.append(entries)
    await first.append([user('c', 'third')])
    expect(await idsOf(first.read())).toEqual(['a', 'b', 'c'])
    await first.close()
    const second = await store.open('one', never)
    const read: Entry[] = []
    for await (const entry of second.read()) read.push(entry)
    expect(read).toEqual([...entries, user('c', 'third')])
    await second.close()
  })

  it('keeps the order of appends that nobody waited for', async () => {
    const session = await (await factory()).open('one', never)
    const ids = Array.from({ length: 50 }, (_, index) => `e${index}`)
    await Promise.all(ids.map((id) => session.append([user(id, id)])))
    expect(await idsOf(session.read())).toEqual(ids)
    await session.close()
  })

  it('appends a batch whole or not at all', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', 'kept')])
    const broken = { ...user('c', ''), content: [{ type: 'text', text: 1n }] } as unknown as Entry
    await expect(session.append([user('b', 'lost with it'), broken])).rejects.toThrow()
    await session.append([])
    await session.append([user('d', 'kept')])
    expect(await idsOf(session.read())).toEqual(['a', 'd'])
    await session.close()
  })

  it('is not changed by what happens to an entry after its append', async () => {
    const session = await (await factory()).open('one', never)
    const entry = { ...user('a', ''), content: [{ type: 'text', text: 'as it was' }] }
    await session.append([entry])
    entry.content[0] = { type: 'text', text: 'changed' }
    for await (const read of session.read()) expect(read).toEqual(user('a', 'as it was'))
    await session.close()
  })

  it('reads from an entry on, also from one inside a batch', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', ''), user('b', ''), user('c', '')])
    await session.append([user('d', '')])
    expect(await idsOf(session.read('b'))).toEqual(['b', 'c', 'd'])
    expect(await idsOf(session.read('d'))).toEqual(['d'])
    expect(await codeOf(idsOf(session.read('nowhere')))).toBe('NOT_FOUND')
    await session.close()
  })

  it('reads all, whatever stands in it: where a session goes on from is not for a store to say', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', ''), user('b', '')])
    await session.append([state('k', 'checkpoint', { from: 'b', edit: 'f' }), user('c', '')])
    expect(await idsOf(session.read())).toEqual(['a', 'b', 'k', 'c'])
    await session.close()
  })

  it('reads all from the newest back, where it can do that', async () => {
    const session = await (await factory()).open('one', never)
    expect(await idsOf(session.readBack?.() ?? session.read())).toEqual([])
    await session.append([user('a', ''), user('b', '')])
    await session.append([user('c', '')])
    if (session.readBack) expect(await idsOf(session.readBack())).toEqual(['c', 'b', 'a'])
    expect(await idsOf(session.read())).toEqual(['a', 'b', 'c'])
    await session.close()
  })
}

/** What an opener gets, and what is left after a close. */
function openContract(factory: StoreFactory): void {
  it('opens a session that is unknown as an empty one', async () => {
    const session = await (await factory()).open('new', never)
    expect(await idsOf(session.read())).toEqual([])
    expect(await codeOf(idsOf(session.read('a')))).toBe('NOT_FOUND')
    await session.close()
  })

  it('takes no more appends after a close, and does not mind a second close', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', '')])
    await session.close()
    await session.close()
    expect(await codeOf(session.append([user('b', '')]))).toBe('STORE_UNWRITABLE')
  })

  it('lets one look into a session that is held, if it lets one look at all', async () => {
    const store = await factory()
    const session = await store.open('one', never)
    await session.append([user('a', '')])
    await session.append([user('b', ''), user('c', '')])
    if (store.peek) expect((await store.peek('one')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    if (store.peek) expect(await store.peek('nobody')).toEqual([])
    await session.close()
  })

  it('lets two sessions share nothing', async () => {
    const store = await factory()
    const one = await store.open('one', never)
    const two = await store.open('two', never)
    await Promise.all([one.append([user('a', '')]), two.append([user('b', '')])])
    const { blob } = await one.put('note', 'of one')
    expect(await idsOf(one.read())).toEqual(['a'])
    expect(await idsOf(two.read())).toEqual(['b'])
    expect(await codeOf(textOf(two.get(blob)))).toBe('NOT_FOUND')
    await Promise.all([one.close(), two.close()])
  })
}

/** A prompt. */
function user(id: string, text: string, time = 0): UserEntry {
  return { kind: 'user', id, time, content: [{ type: 'text', text }] }
}

/** A fact of core's. */
function state(id: string, key: string, value: StateEntry['value'], time = 0): StateEntry {
  return { kind: 'state', id, time, owner: 'core', key, value }
}

/** The ids of what is read, in order. */
async function idsOf(entries: AsyncIterable<Entry>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of entries) ids.push(id)
  return ids
}

/** A blob as text. */
async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** The code of the error that a promise ends in. */
async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return isNacreError(error) ? error.code : undefined
}

/** Gives an empty store for each test. */
export type StoreFactory = () => Store | Promise<Store>
