import { describe, expect, it } from 'vitest'
import { gives, recallSession } from './recall-session.js'

describe('Recall withstands', () => {
  it('a result that looks like a preview with a name that can not be read', async () => {
    const test = await recallSession()
    await test.say('Begin.', gives('<persisted-output>\nTo see more: ReadResult with name "a\\q", offset 1.'))
    await test.say('The port is 48211.')
    expect(await test.recall({ anchor: '48211', scope: 'all' })).toMatch(/^1 entry found/)
    expect(await test.recall({ query: 'persisted', scope: 'all' })).toContain('with name "a\\q"')
  })

  it('a name of escapes in a text that is full of them', async () => {
    const test = await recallSession()
    await test.say('Begin.', gives(`x ${'\\n'.repeat(5_000)}`))
    const anchor = `${'\\n '.repeat(12)}z`
    expect(await test.recall({ anchor, scope: 'all' })).toBe('Nothing found. Try query.')
  })

  it('characters of two halves at the end of what is shown', async () => {
    const test = await recallSession()
    for (const shift of ['', 'x']) await test.say(`${shift}${'😀'.repeat(2_000)}`)
    const listed = await test.recall({ role: 'user', scope: 'all', offset: 1 })
    expect(listed).toContain('😀')
    expect(Buffer.from(listed).toString()).toBe(listed)
  })

  it('a place where no regex can be stopped: none is tried, and words are still found', async () => {
    const test = await recallSession()
    await test.say('The port is 48211.')
    const { getBuiltinModule } = process
    Object.assign(process, { getBuiltinModule: undefined })
    try {
      expect(await test.recall({ regex: '(a+)+$', scope: 'all' })).toMatch(/can not be stopped.*Use query or anchor/)
      expect(await test.recall({ anchor: '48211', scope: 'all' })).toMatch(/^1 entry found/)
    } finally {
      Object.assign(process, { getBuiltinModule })
    }
  })
})
