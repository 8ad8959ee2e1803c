import { describe, expect, it } from 'vitest'
import { type SimulatorOptions, scripted } from '../../src/index.js'
import { send, simulate, words } from '../support/simulate.js'

const marker = { type: 'ephemeral' }
const call = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] })
const result = (id: string, ...after: object[]) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: words(600, id), cache_reference: `ref_${id}` }, ...after],
})
const deletion = (...ids: string[]) => ({
  type: 'cache_edits',
  edits: ids.map((id) => ({ type: 'delete', cache_reference: `ref_${id}` })),
})

const request = (...messages: object[]) => ({
  model: 'claude-opus-5-5',
  max_tokens: 100,
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Go' }, ...messages],
})
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })

const open = (options: SimulatorOptions = {}) => simulate({ details: { extensions: ['cache-edits'] }, ...options })

interface Answer {
  readonly usage: Record<string, number>
  readonly error: { readonly message: string }
}
const ask = async ({ simulator }: Awaited<ReturnType<typeof open>>, body: object) => {
  const { status, body: answer } = await send(simulator, body)
  return { status, ...(answer as unknown as Answer) }
}

describe('cache_edits', () => {
  it('[X15] is unknown by default', async () => {
    const body = request(call('a'), result('a', deletion('a'), text('On')))
    expect((await ask(await open(), body)).status).toBe(200)
    const plain = await simulate()
    expect((await ask(plain, body)).error.message).toContain('Extra inputs are not permitted')
    const bare = await ask(plain, request({ role: 'user', content: [deletion('a')] }))
    expect(bare.error.message).toContain("Input tag 'cache_edits'")
  })

  it('[X15] deletes results: the bytes stay in the cached prefix, the tokens are no longer billed', async () => {
    const server = await open()
    const history = [call('a'), result('a'), call('b'), result('b', text('On', { cache_control: marker }))]
    const first = await ask(server, request(...history))
    expect(first.usage).not.toHaveProperty('cache_deleted_input_tokens')

    const answer = { role: 'assistant', content: 'ok' }
    const kept = await ask(server, request(...history, answer, { role: 'user', content: [text('Next')] }))
    const erased = await ask(
      server,
      request(...history, answer, { role: 'user', content: [deletion('a'), text('Next')] }),
    )
    const gone = erased.usage.cache_deleted_input_tokens ?? 0
    expect(gone).toBeGreaterThan(600)
    expect(kept.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens)
    expect(erased.usage.cache_read_input_tokens).toBe((kept.usage.cache_read_input_tokens ?? 0) - gone)
    expect(erased.usage.input_tokens).toBe(kept.usage.input_tokens)
  })

  it('[X15] tells all that was deleted so far', async () => {
    const server = await open()
    const history = [call('a'), result('a'), call('b')]
    const deleted = async (...after: object[]) =>
      (await ask(server, request(...history, result('b', ...after, text('On'))))).usage.cache_deleted_input_tokens ?? 0
    const [a, b, both] = [await deleted(deletion('a')), await deleted(deletion('b')), await deleted(deletion('a', 'b'))]
    expect(a).toBeGreaterThan(600)
    expect(both).toBe(a + b)
  })

  it('[X15] hides a deleted result from the model', async () => {
    const seen: string[] = []
    const server = await open({
      model: scripted(({ messages }) => {
        seen.push(messages.flatMap(({ content }) => content.map((block) => String(block.tool_use_id ?? ''))).join(''))
        return 'ok'
      }),
    })
    const history = [call('a'), result('a'), call('b')]
    await ask(server, request(...history, result('b', text('On'))))
    await ask(server, request(...history, result('b', deletion('a'), text('On'))))
    expect(seen).toEqual(['ab', 'b'])
  })

  it('[X15] refuses a reference that was not sent before it', async () => {
    const server = await open()
    const early = request(call('a'), result('a', deletion('b'), text('On')), call('b'), result('b'))
    const answer = await ask(server, early)
    expect([answer.status, answer.error.message]).toEqual([
      400,
      "messages.2.content.1: cache_reference 'ref_b' not found before the edit",
    ])
    expect((await ask(server, request(call('a'), result('a', deletion('a'), text('On'))))).status).toBe(200)
  })
})
