import { describe, expect, it } from 'vitest'
import { setUpMcp } from './set-up-mcp.js'
import { only, stdioServer } from './test-server.js'

describe('what a tool of a server gives', () => {
  it('is shown as far as the API takes it, and told of otherwise', async () => {
    const { call, contribution, tool } = await setUpMcp(only({ one: await stdioServer() }))
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: expect.any(String) } }
    const text = (content: string) => ({ type: 'text', text: content })
    expect(await call('mcp__one__all_kinds')).toEqual({
      content: [
        text('words'),
        image,
        text('(An image of type image/tiff, 70 bytes: it can not be shown.)'),
        text('(Audio of type audio/wav, 3 bytes: it can not be shown.)'),
        text('Resource note://a:\na note'),
        image,
        text('(Resource note://b, called b: another note. ReadMcpResource reads it.)'),
        text('{"degrees":21}'),
      ],
    })
    // What is structured and said in words too is said once.
    expect(await call('mcp__one__structured')).toEqual({ content: [text('{ "degrees": 21 }')] })
    expect(await call('mcp__one__nothing')).toEqual({ content: [] })

    expect(await call('ListMcpResources')).toEqual({ content: [text('one note://a (a)')] })
    expect(await call('ReadMcpResource', { server: 'one', uri: 'note://a' })).toEqual({
      content: [text('Resource note://a:\nthe text of a note')],
    })
    expect(await call('ReadMcpResource', { server: 'two', uri: 'note://a' })).toMatchObject({ isError: true })

    const prompt = contribution.commands?.find(({ name }) => name === 'mcp__one__greet')
    const notes: unknown[] = []
    const context = { note: (note: unknown) => notes.push(note), signal: new AbortController().signal }
    expect(await prompt?.run('"the whole world" very warmly', context as never)).toBe(
      'Greet {"who":"the whole world","how":"very warmly"}.',
    )
    expect(notes).toMatchObject([{ trust: 'content', text: expect.stringContaining('the whole world') }])

    // Hints of a server that nobody trusts are not believed.
    for (const name of ['mcp__one__echo', 'ReadMcpResource']) {
      expect(tool(name).isReadOnly({ server: 'one' })).toBe(false)
      expect(tool(name).check?.({ server: 'one' }, {} as never)).toMatchObject({ verdict: 'ask' })
    }
  })

  it('needs no asking where a trusted server says that it only reads', async () => {
    const one = await stdioServer()
    const { tool } = await setUpMcp({ ...only({}), servers: { one: { ...one.server, trusted: true } } })
    expect(tool('mcp__one__echo').isReadOnly({})).toBe(true)
    expect(tool('mcp__one__echo').check?.({}, {} as never)).toBeUndefined()
    expect(tool('mcp__one__steps').isReadOnly({})).toBe(false)
    expect(tool('mcp__one__steps').check?.({}, {} as never)).toMatchObject({ verdict: 'ask' })
  })
})
