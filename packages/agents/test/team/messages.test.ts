import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@nacre/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { gateTool, lastWords, settled, startAgent, talk, use } from '../support/talk.js'

const background = (name: string, prompt = 'Wait.') => startAgent({ prompt, name, run_in_background: true })

describe('a message to an agent of the same process', () => {
  it('is read at its next tool round, and an answer comes back to the main agent', async () => {
    const gate = gateTool()
    const { say, asked, team } = await talk(
      (source, words) => {
        if (source === 'main') {
          if (words === 'Go.') return [background('a')]
          return words === 'Tell it.'
            ? [use('SendMessage', { to: 'a', message: 'Only tests.', summary: 'narrower' })]
            : 'ok'
        }
        if (words === 'Wait.') return [use('gate', {})]
        if (words.includes('Only tests.')) return [use('SendMessage', { to: 'main', message: 'Understood.' })]
        return 'Done.'
      },
      { tools: [gate] },
    )
    await say('Go.')
    await gate.entered
    await say('Tell it.')
    expect(lastWords(asked('main').at(-1) as never)).toBe('Delivered to a, which reads it at its next tool round.')
    gate.open()
    await team.wait(undefined, 1e6, new AbortController().signal)
    expect(lastWords(asked('agent:a')[1] as never)).toMatch(
      /open\n<message from="main" id="[^"]+" summary="narrower">\nOnly tests.\n<\/message>/,
    )
    await say()
    expect(lastWords(asked('main').at(-1) as never)).toContain('<message from="a"')
    expect(lastWords(asked('main').at(-1) as never)).toContain('Understood.')
  })

  it('sets one that has ended to work again, from its transcript, and keeps the result that nobody had read', async () => {
    const { say, asked, team } = await talk((source, words) => {
      if (source === 'main') return words === 'Go.' ? [background('a', 'First.')] : 'ok'
      return words === 'First.' ? 'One.' : 'Two.'
    })
    await say('Go.')
    await team.wait(['a'], 1e6, new AbortController().signal)
    const said = await team.send({ from: 'main', to: 'a', message: 'And then?' })
    expect(said).toContain('a had ended. It goes on from its transcript')
    await team.wait(['a'], 1e6, new AbortController().signal)
    expect(JSON.stringify(asked('agent:a')[1]?.messages)).toMatch(/First\..*One\..*And then\?/)
    expect(team.agents()).toMatchObject([{ runs: 2, state: 'done' }])
    expect((await team.read('a')).text).toBe('One.\n\n---\n\nTwo.')
    expect((await team.read('a')).text).toBe('Two.')
  })

  it('goes to all, but not to the one who sends it; and what is unknown is answered with who there is', async () => {
    const gate = gateTool()
    const { say, asked, team } = await talk(
      (source, words) => {
        if (source === 'main') return words === 'Go.' ? [background('a'), background('b'), background('c')] : 'ok'
        return words === 'Wait.' ? [use('gate', {})] : 'Done.'
      },
      { tools: [gate] },
    )
    await say('Go.')
    await vi.waitFor(() => expect(team.agents().every(({ name }) => asked(`agent:${name}`).length === 1)).toBe(true))
    const said = await team.send({ from: 'b', to: '*', message: 'Hello all.' })
    expect(said.split('\n')).toHaveLength(3)
    gate.open()
    await team.wait(undefined, 1e6, new AbortController().signal)
    const heard = ['main', 'agent:a', 'agent:b', 'agent:c'].map((source) =>
      JSON.stringify(asked(source)).includes('Hello all.'),
    )
    expect(heard).toEqual([false, true, false, true])
    await say()
    expect(lastWords(asked('main').at(-1) as never)).toContain('Hello all.')
    await expect(team.send({ from: 'main', to: 'nobody', message: 'x' })).rejects.toThrow(
      "There is nobody called 'nobody'. There are: main, a, b, c.",
    )
  })

  it('asks one to shut down, and ends it when it agrees', async () => {
    const gate = gateTool()
    const { say, team } = await talk(
      (source, words) => {
        if (source === 'main') return words === 'Go.' ? [background('a')] : 'ok'
        const [, id] = /"request_id":"([^"]+)"/.exec(words) ?? []
        if (id)
          return [
            use('SendMessage', { to: 'main', message: { type: 'shutdown_response', request_id: id, approve: true } }),
          ]
        return words === 'Wait.' ? [use('gate', {})] : [use('gate', {})]
      },
      { tools: [gate] },
    )
    await say('Go.')
    await gate.entered
    await team.send({ from: 'main', to: 'a', message: { type: 'shutdown_request', reason: 'enough' } })
    gate.open()
    await team.wait(['a'], 1e6, new AbortController().signal)
    expect(team.agents()).toMatchObject([{ state: 'stopped', reason: 'it shut down as it was asked to' }])
  })

  it('carries the answer to a plan', async () => {
    const { say, asked, team } = await talk(
      (source, words) => {
        const [, id] = /plan_approval_request","request_id":"([^"]+)"/.exec(words) ?? []
        if (source === 'main') {
          if (id) {
            const message = { type: 'plan_approval_response', request_id: id, approve: false, feedback: 'Test first.' }
            return [use('SendMessage', { to: 'a', message })]
          }
          if (words === 'Go.') return [background('a', 'Plan.')]
          return 'ok'
        }
        return words === 'Plan.' ? [use('ExitPlanMode', { plan: 'Change all.' })] : `Told: ${words}`
      },
      {
        tools: [
          {
            ...gateTool('ExitPlanMode'),
            check: () => ({ verdict: 'ask', reason: 'A plan is to be approved.' }),
            run: () => ({ content: [{ type: 'text', text: 'approved' }] }),
          },
        ],
      },
    )
    await say('Go.')
    await settled()
    await say()
    await team.wait(['a'], 1e6, new AbortController().signal)
    expect((await team.read('a')).text).toContain('The person said no to this call: Test first.')
    expect(asked('agent:a')).toHaveLength(2)
  })
})

describe('a message from outside of the process', () => {
  it('arrives over the socket of another session, and one that is gone is recognised', async () => {
    const answer = (source: string, words: string) => (source === 'main' ? `heard: ${words}` : 'ok')
    const one = await talk(answer, { agents: { socket: true } })
    const two = await talk(answer, { agents: { socket: true } })
    await one.team.send({ from: 'main', to: `session:${two.session.id}`, message: 'Hello there.', summary: 'greeting' })
    expect(two.session.isSteered()).toBe(true)
    await two.say()
    expect(lastWords(two.asked('main')[0] as never)).toContain(`<message from="session:${one.session.id}"`)
    await two.session.close()
    await expect(one.team.send({ from: 'main', to: `session:${two.session.id}`, message: 'Again.' })).rejects.toThrow()
  })

  it('comes through the mailbox of a team once, also when its receiver was not running', async () => {
    const data = await mkdtemp(join(tmpdir(), 'nacre-team-'))
    onTestFinished(() => rm(data, { recursive: true, force: true }))
    const answer = () => 'ok'
    const store = memoryStore()
    const member = (name: string) => ({ data, team: { team: 'crew', name } })
    const ann = await talk(answer, { agents: member('ann'), store })
    const bob = await talk(answer, { agents: member('bob') })
    await bob.team.send({ from: 'main', to: 'ann', message: 'First.' })
    await vi.waitFor(() => expect(ann.session.isSteered()).toBe(true))
    await ann.session.close()
    expect(await bob.team.send({ from: 'main', to: 'ann', message: 'Second.' })).toContain('who is not running now')
    const again = await talk(answer, { agents: member('ann'), store, resume: ann.session.id })
    await vi.waitFor(() => expect(again.session.isSteered()).toBe(true))
    await vi.waitFor(async () => {
      const entries = await store.peek?.(again.session.id)
      expect(entries?.filter((entry) => JSON.stringify(entry).includes('Second.'))).toHaveLength(1)
    })
    await again.say()
    const words = lastWords(again.asked('main')[0] as never)
    expect(words.match(/First\./g)).toHaveLength(1)
    expect(words.match(/Second\./g)).toHaveLength(1)
    expect(words.indexOf('First.')).toBeLessThan(words.indexOf('Second.'))
  })
})

it('a message that comes while an agent gives its last answer is heard all the same', async () => {
  let sent: Promise<string> | undefined
  const { say, asked, team } = await talk((source, words) => {
    if (source === 'main') return words === 'Go.' ? [startAgent({ prompt: 'Answer.', name: 'a' })] : 'ok'
    if (words === 'Answer.') sent = team.send({ from: 'main', to: 'a', message: 'One more thing.' })
    return `Answer to: ${words}`
  })
  await say('Go.')
  expect(await sent).toContain('Delivered to a')
  expect(lastWords(asked('agent:a')[1] as never)).toContain('One more thing.')
  expect(lastWords(asked('main').at(-1) as never)).toContain('One more thing.')
})

it('a message to an agent that is about to begin waits for it', async () => {
  const { session, asked, team } = await talk((source, words) => {
    if (source === 'main') return words === 'Go.' ? [startAgent({ prompt: 'Answer.', name: 'a' })] : 'ok'
    return `Answer to: ${words}`
  })
  let sent: Promise<string> | undefined
  const stop = team.onChange(() => {
    sent ??= team.send({ from: 'main', to: 'a', message: 'At once.' })
  })
  for await (const _ of session.query('Go.'));
  stop()
  expect(await sent).toContain('Delivered to a')
  expect(JSON.stringify(asked('agent:a').map(({ messages }) => messages))).toContain('At once.')
})
