import { definePlugin } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { gateTool, lastWords, settled, startAgent, talk, use } from '../support/talk.js'

const lookTool = (name: string, isReadOnly: boolean) => ({
  name,
  description: 'Looks.',
  schema: { json: { type: 'object' }, parse: (input: unknown) => input },
  isReadOnly: () => isReadOnly,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: `${name} ran` }] }),
})

describe('an agent in the foreground', () => {
  it('does its task with a context of its own, and its last words are the result of the call', async () => {
    const { say, asked, session, team } = await talk((source, words) => {
      if (source !== 'main') return `The parser is in src/parse.ts. I was told: ${words}`
      return words.includes('parser') && !words.includes('src')
        ? [startAgent({ prompt: 'Find the parser.' })]
        : 'Thanks.'
    })
    await say('Where is the parser? Secret: 42.')
    const [request] = asked('agent:general-1')
    expect(JSON.stringify(request?.messages)).not.toContain('42')
    expect(lastWords(asked('main')[1] as never)).toBe('The parser is in src/parse.ts. I was told: Find the parser.')
    expect(team.agents()).toMatchObject([
      { name: 'general-1', type: 'general', state: 'done', result: { isRead: true }, isBackground: false },
    ])
    expect(session.cost('agent:general-1').requests).toBe(1)
    expect(team.agents()[0]?.dollars).toBe(session.cost('agent:general-1').dollars)
  })

  it('is told of by hooks when it starts and stops, and one of them can send it back', async () => {
    const heard: string[] = []
    const hooks = definePlugin({
      name: 'watching',
      setup: () => ({
        hooks: {
          SubagentStart: ({ agent }) => void heard.push(`start ${agent}`),
          SubagentStop({ agent, result }) {
            heard.push(`stop ${agent} ${JSON.stringify(result.content)}`)
            return heard.length < 3 ? { verdict: 'continue', reason: 'Look once more.' } : undefined
          },
        },
      }),
    })
    const { say, asked } = await talk(
      (source, words) =>
        source === 'main' ? (words === 'Go.' ? [startAgent({ prompt: 'Look.', name: 'eye' })] : 'ok') : `Saw: ${words}`,
      { plugins: [hooks] },
    )
    await say('Go.')
    expect(heard).toHaveLength(3)
    expect(heard[0]).toBe('start eye')
    expect(lastWords(asked('main')[1] as never)).toBe('Saw: Look once more.')
  })

  it('is refused with what there is for an unknown type, a name that is taken, and a sub-agent that wants one', async () => {
    const { say, asked } = await talk((source, words) => {
      if (source === 'agent:twin') return 'done'
      if (source !== 'main') return words.includes('can not start') ? 'understood' : [startAgent({ prompt: 'x' })]
      if (words === 'type') return [startAgent({ prompt: 'x', subagent_type: 'wizard' })]
      if (words === 'twice') return [startAgent({ prompt: 'x', name: 'twin' })]
      if (words === 'deep') return [startAgent({ prompt: 'x', name: 'deep', mode: 'fork' })]
      return 'ok'
    })
    await say('type')
    expect(lastWords(asked('main')[1] as never)).toBe(
      "There is no agent type 'wizard'. There are: explore, general, plan.",
    )
    await say('twice')
    await say('twice')
    expect(lastWords(asked('main').at(-1) as never)).toContain("There is an agent 'twin' already. Send it a message")
    await say('deep')
    expect(lastWords(asked('agent:deep').at(-1) as never)).toContain('A sub-agent can not start agents')
    expect(lastWords(asked('main').at(-1) as never)).toBe('understood')
  })

  it('of a type that only looks has no call run that may change something', async () => {
    const { say, asked, model } = await talk(
      (source, words) => {
        if (source === 'main')
          return words === 'Go.' ? [startAgent({ prompt: 'Look.', subagent_type: 'explore' })] : 'ok'
        return words === 'Look.' ? [use('read', {}), use('change', {})] : 'Seen.'
      },
      { tools: [lookTool('read', true), lookTool('change', false)] },
    )
    await say('Go.')
    const results = lastWords(asked('agent:explore-1')[1] as never)
    expect(results).toContain('read ran')
    expect(results).toContain('The agent type explore only looks')
    expect(model.requests).toHaveLength(4)
  })

  it('of a longer result is given in parts that say how to read on', async () => {
    const long = Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join('\n')
    const { say, asked } = await talk((source, words) => {
      if (source !== 'main') return long
      if (words === 'Go.') return [startAgent({ prompt: 'Write.', name: 'writer' })]
      const [, offset] = /"offset":(\d+)/.exec(words) ?? []
      return offset ? [use('Agents', { action: 'read', name: 'writer', offset: Number(offset) })] : 'ok'
    })
    await say('Go.')
    const parts = asked('main')
      .slice(1)
      .map((request) => lastWords(request).replace(/\n\n\[Characters[^\]]*\]$/, ''))
    expect(parts.join('')).toBe(long)
    expect(parts.length).toBeGreaterThan(2)
  })
})

describe('an agent in the background', () => {
  it('returns at once, ends with a notice of its size, and is read exactly once', async () => {
    const gate = gateTool()
    const { say, asked, team, session } = await talk(
      (source, words) => {
        if (source !== 'main') return words === 'Wait.' ? [use('gate', {})] : 'The gate is open now.'
        if (words === 'Go.') return [startAgent({ prompt: 'Wait.', name: 'waiter', run_in_background: true })]
        if (words.includes('<agent-notice')) return [use('Agents', { action: 'read', name: 'waiter' })]
        return 'ok'
      },
      { tools: [gate] },
    )
    await say('Go.')
    expect(lastWords(asked('main')[1] as never)).toContain('Started waiter in the background')
    await gate.entered
    expect(team.agents()).toMatchObject([{ name: 'waiter', state: 'running' }])
    gate.open()
    await team.wait(['waiter'], 1e6, new AbortController().signal)
    expect(session.isSteered()).toBe(true)
    expect(team.agents()).toMatchObject([{ state: 'done', result: { isRead: false, chars: 21 } }])
    await say()
    expect(lastWords(asked('main')[2] as never)).toContain(
      'Its result (21 characters) is kept; read it with Agents {"action":"read","name":"waiter"}',
    )
    expect(lastWords(asked('main')[3] as never)).toBe('The gate is open now.')
    expect(team.agents()).toMatchObject([{ result: { isRead: true } }])
    expect(session.isSteered()).toBe(false)
  })

  it('is listed, waited for within a limit, and stopped by the model', async () => {
    const gate = gateTool()
    const { say, asked, team } = await talk(
      (source, words) => {
        if (source !== 'main') return [use('gate', {})]
        if (words === 'Go.') return [startAgent({ prompt: 'Wait.', name: 'waiter', run_in_background: true })]
        if (words === 'List.') return [use('Agents', { action: 'list' })]
        if (words === 'Wait.') return [use('Agents', { action: 'wait', wait_seconds: 0.01 })]
        if (words === 'Stop.') return [use('Agents', { action: 'stop', name: 'waiter' })]
        return 'ok'
      },
      { tools: [gate] },
    )
    await say('Go.')
    await gate.entered
    await say('List.')
    expect(lastWords(asked('main').at(-1) as never)).toMatch(
      /- waiter \(general; a task\) is running, for \d+ s more at most/,
    )
    await say('Wait.')
    expect(lastWords(asked('main').at(-1) as never)).toContain('1 still running after 0.01 s.')
    await say('Stop.')
    expect(lastWords(asked('main').at(-1) as never)).toContain('has ended: it was stopped by the main agent')
    expect(team.agents()).toMatchObject([{ state: 'stopped', result: { isRead: false } }])
  })

  it('waits for its place where more are started than may run at once', async () => {
    const gate = gateTool()
    let atOnce = 0
    let most = 0
    const counting = {
      ...gate,
      name: 'count',
      run: async () => {
        most = Math.max(most, ++atOnce)
        await settled()
        atOnce -= 1
        return { content: [{ type: 'text', text: 'counted' }] }
      },
    }
    const { say, team } = await talk(
      (source, words) => {
        if (source !== 'main') return words === 'x' ? [use('count', {})] : 'done'
        return words === 'Go.' ? Array.from({ length: 9 }, (_, n) => startAgent({ prompt: 'x', name: `a${n}` })) : 'ok'
      },
      { tools: [counting], agents: { limits: { atOnce: 3 } } },
    )
    await say('Go.')
    expect(team.agents().map(({ state }) => state)).toEqual(Array.from({ length: 9 }, () => 'done'))
    expect(most).toBe(3)
  })
})
