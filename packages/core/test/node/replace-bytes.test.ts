import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect, it } from 'vitest'
import { replaceBytes } from '../../src/node/purge.js'

async function* inChunks(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let rest = text
  for (const size of sizes) {
    yield Buffer.from(rest.slice(0, size))
    rest = rest.slice(size)
  }
  yield Buffer.from(rest)
}

it('replaces as if the stream were one text, however it is cut into chunks', async () => {
  const parts = array(constantFrom('secret', 'sec', 'ret', 's', ' ', 'x'), { maxLength: 40 })
  await assert(
    asyncProperty(parts, array(integer({ min: 0, max: 9 }), { maxLength: 40 }), async (words, sizes) => {
      const text = words.join('')
      const chunks: Buffer[] = []
      const stream = replaceBytes(inChunks(text, sizes), [Buffer.from('secret')], Buffer.from('[purged]'))
      for await (const chunk of stream) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toBe(text.replaceAll('secret', '[purged]'))
    }),
  )
})
