import { expect, it } from 'vitest'
import { codeOf, never, textOf } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** Blobs, and what names can do. */
export function blobContract(factory: StoreFactory): void {
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
