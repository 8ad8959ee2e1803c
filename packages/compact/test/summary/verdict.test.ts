import { definePlugin, type Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { begin, lastRequest, nine, say, type Work, work } from './summary-session.js'

const todos = (list: unknown) =>
  definePlugin({
    name: 'todos',
    setup: ({ store }) => ({
      hooks: {
        PostModelCall: () =>
          store.append([{ kind: 'state', owner: 'todos', key: 'list', value: list as never, id: '', time: 0 }]),
      },
    }),
  })

async function folded(summary: NonNullable<Work['summary']>, list: unknown = []) {
  const worked = await work({ calls: 2, summary })
  const session = await begin(worked, { plugins: [compact(), todos(list)] })
  await say(session, 'Read src/file-0.ts,\nthen the rest. Never touch legacy/.')
  await say(session, 'yes')
  const outcome = await session.compact()
  return { session, worked, checks: outcome.edit?.receipt?.checks ?? [], text: foldOf(session) }
}

function foldOf(session: Session): string {
  return (session.view().rounds[0]?.content ?? []).map(({ text }) => String(text)).join('\n')
}

const check = (checks: readonly { readonly name: string }[], name: string) => checks.find((each) => each.name === name)

describe('the verdict on a summary', () => {
  it('is good when everything is there, whatever marks the headings carry', async () => {
    const said = '- Read src/file-0.ts, then the rest. Never touch legacy/.\n- yes'
    const summary = nine({ 3: 'Read src/file-0.ts and src/file-1.ts:12.', 6: said }).replace(
      /^(\d)\. (.*)$/gm,
      '## **$1. $2**:',
    )
    const { checks } = await folded(() => summary)
    expect(checks).toEqual([
      { name: 'sections', ok: true, detail: '9 of 9' },
      { name: 'user messages', ok: true, detail: '2 of 2 in section 6' },
      { name: 'todos', ok: true, detail: '0 open' },
      { name: 'paths', ok: true, detail: '2 named' },
    ])
  })

  it('counts the messages that section 6 lacks, which are appended word for word', async () => {
    const { checks, text } = await folded(() => nine({ 6: '- yes' }))
    expect(check(checks, 'user messages')).toEqual({
      name: 'user messages',
      ok: true,
      detail: '1 of 2 in section 6, 1 missing were appended',
    })
    expect(text).toContain('Read src/file-0.ts,\nthen the rest. Never touch legacy/.')
  })

  it('adds the open todos that section 7 lacks, and only those', async () => {
    const list = [
      { content: 'Write the  docs', status: 'pending' },
      { content: 'Fix the port', status: 'in_progress' },
      { content: 'Done thing', status: 'completed' },
      'no todo',
    ]
    const { checks, text } = await folded(() => nine({ 7: '- fix nothing\n- Write the docs' }), list)
    expect(check(checks, 'todos')).toEqual({ name: 'todos', ok: true, detail: '1 of 2 open ones were added' })
    expect(text).toMatch(/- Write the docs\n- Fix the port\n\n8\. Current work/)
    expect(text).not.toContain('Done thing')
  })

  it('adds the open todos at the end where there is no section for them', async () => {
    const list = [{ content: 'Write the docs', status: 'pending' }]
    const prose = 'Some words of a file were read there, and nothing else came of that file. '.repeat(8)
    const { checks, text } = await folded(() => `<summary>${prose}</summary>`, list)
    expect(check(checks, 'todos')).toMatchObject({ detail: '1 of 1 open ones were added' })
    expect(check(checks, 'user messages')).toMatchObject({ detail: '0 of 2 in the summary, 2 missing were appended' })
    expect(text).toContain('came of that file.\n\nStill to be done:\n- Write the docs')
  })

  it('takes another plugin’s state for no list when it is none', async () => {
    const { checks } = await folded(() => nine(), { not: 'a list' })
    expect(check(checks, 'todos')).toMatchObject({ detail: '0 open' })
  })

  it('marks paths that were never seen, once, and leaves words with a slash alone', async () => {
    const { checks, text } = await folded(() =>
      nine({ 3: 'src/file-0.ts and src/made-up.ts. Read/write and TCP/IP; see https://example.org/a/b/c.html.' }),
    )
    expect(check(checks, 'paths')).toEqual({ name: 'paths', ok: false, detail: 'unverified: src/made-up.ts' })
    expect(text).toContain('src/file-0.ts and src/made-up.ts (unverified). Read/write and TCP/IP;')
    expect(text).toContain('https://example.org/a/b/c.html.')
  })

  it('does not verify a path by the summary that could not verify it', async () => {
    const { session, text } = await folded((_turn, count) =>
      nine({ 3: count === 1 ? 'In src/made-up.ts.' : 'Still in src/made-up.ts.' }),
    )
    expect(text).toContain('In src/made-up.ts (unverified).')
    await say(session, 'Go on.')
    await session.compact()
    expect(foldOf(session)).toContain('Still in src/made-up.ts (unverified).')
  })

  it('throws the draft away and keeps the words of the person to the byte', async () => {
    const { worked, session, text } = await folded(() => nine())
    expect(text).not.toMatch(/A draft|<analysis>|<summary>/)
    await say(session, 'Go on.')
    expect(lastRequest(worked)).toContain(JSON.stringify('Read src/file-0.ts,\nthen the rest').slice(1, -1))
  })

  it('carries the summary before it in the span of the next one', async () => {
    const worked = await work({ calls: 3, summary: (_turn, count) => nine({ 2: `Concept ${count}.` }) })
    const session = await begin(worked)
    for (const prompt of ['First of all.', 'Then this.', 'Last of all.']) {
      await say(session, prompt)
      expect(await session.compact()).toHaveProperty('edit')
    }
    expect(JSON.stringify(worked.asked[1]?.messages)).toContain('Concept 1.')
    expect(JSON.stringify(worked.asked[2]?.messages)).toContain('Concept 2.')
    expect(JSON.stringify(worked.asked[2]?.messages)).not.toContain('Concept 1.')
    expect(session.view().rounds).toHaveLength(1)
    const text = foldOf(session)
    for (const prompt of ['First of all.', 'Then this.', 'Last of all.']) expect(text).toContain(prompt)
  })
})
