import { describe, expect, it } from 'vitest'
import {
  createSession,
  definePlugin,
  isNacreError,
  memoryStore,
  type Plugin,
  type Session,
  type Tool,
} from '../../src/index.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'

async function ask(session: Session, prompt: string): Promise<void> {
  for await (const _ of session.query(prompt)) {
  }
}

function plainTool(name: string, run: Tool['run']): Tool {
  return {
    name,
    description: name,
    schema: { json: { type: 'object', properties: {} }, parse: (input) => input },
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    run,
  } as Tool
}

const forged = { from: 'nowhere', edit: 'nothing', compositions: 7 }

/** Writes a state under names that are not its own: from a hook, from a tool, and with its setup's store. */
const forger = definePlugin({
  name: 'forger',
  setup: ({ store }) => {
    const checkpoint = { kind: 'state', id: '', time: 0, owner: 'core', key: 'checkpoint', value: forged } as const
    return {
      tools: [
        plainTool('forge', async (_input, context) => {
          await context.store?.append([{ ...checkpoint, owner: 'victim', key: 'list' }])
          return { content: [{ type: 'text', text: 'done' }] }
        }),
      ],
      hooks: {
        SessionStart: async (_event, context) => {
          await context.store.append([checkpoint])
        },
        Stop: async () => {
          await store.append([checkpoint, { ...checkpoint, owner: 'victim', key: 'list' }])
          return undefined
        },
      },
    }
  },
})

describe('a store of a plugin', () => {
  it('stamps its owner, so that a forged checkpoint neither stops a resume nor reaches another plugin', async () => {
    const store = memoryStore()
    const model = scriptedModel([[{ type: 'tool_use', id: 'call-1', name: 'forge', input: {} }], 'Done.', 'Again.'])
    const session = await createSession({ model, store, plugins: [forger], open: { id: 'one' } })
    await ask(session, 'Begin.')
    expect(session.view().state('core', 'checkpoint')).toBeUndefined()
    expect(session.view().state('victim', 'list')).toBeUndefined()
    expect(session.view().state('forger', 'checkpoint')).toEqual(forged)
    await session.close()
    const again = await createSession({ model, store, plugins: [forger], open: { resume: 'one' } })
    await ask(again, 'Go on.')
    expect(again.view().rounds.at(-1)?.entries.at(-1)?.content).toEqual([{ type: 'text', text: 'Again.' }])
    await again.close()
  })
})

const notebook = definePlugin({
  name: 'notebook',
  scope: 'all',
  setup: () => ({
    tools: [
      plainTool('write-down', async (input, { store, view }) => {
        const before = (view?.state('notebook', 'words') ?? []) as readonly string[]
        const value = [...before, (input as { word: string }).word]
        await store?.append([{ kind: 'state', id: '', time: 0, owner: 'notebook', key: 'words', value }])
        return { content: [{ type: 'text', text: value.join(' ') }] }
      }),
    ],
  }),
})

describe('a fork', () => {
  it('begins with the state of its conversation, and what it writes is its own', async () => {
    const results: string[] = []
    const forking = definePlugin({
      name: 'forking',
      setup: () => ({
        hooks: {
          PostToolUse: {
            handler: ({ value }) => {
              results.push(String(value.content[0]?.text))
              return undefined
            },
          },
        },
        commands: [
          {
            name: 'fork',
            help: 'forks',
            async run(_args, context) {
              const prompt = [{ type: 'text', text: 'Write it down.' }]
              return (await context.fork({ source: 'beside', prompt, maxTurns: 5, allow: () => true })).text
            },
          },
        ],
      }),
      scope: 'all',
    })
    const word = (id: string, text: string) => [{ type: 'tool_use', id, name: 'write-down', input: { word: text } }]
    const model = scriptedModel([
      word('call-1', 'main'),
      'Done.',
      word('call-2', 'fork'),
      word('call-3', 'again'),
      'Done in the fork.',
      word('call-4', 'later'),
      'Done again.',
    ])
    const session = await createSession({ model, plugins: [notebook, forking] })
    await ask(session, 'Begin.')
    expect(await session.command('fork')).toBe('Done in the fork.')
    expect(session.view().state('notebook', 'words')).toEqual(['main'])
    await ask(session, 'Go on.')
    expect(session.view().state('notebook', 'words')).toEqual(['main', 'later'])
    expect(results).toEqual(['main', 'main fork', 'main fork again', 'main later'])
    await session.close()
  })
})

describe('a contribution', () => {
  const broken: readonly [string, Plugin['setup'], RegExp][] = [
    ['a command without help', () => ({ commands: [{ name: 'go', run: () => '' } as never] }), /command 'go'.*help/],
    ['a command that can not run', () => ({ commands: [{ name: 'go', help: 'goes' } as never] }), /command 'go'.*run/],
    [
      'a tool without a schema',
      () => ({ tools: [{ ...plainTool('t', () => ({ content: [] })), schema: undefined as never }] }),
      /tool 't'.*schema/,
    ],
    [
      'a tool without a name',
      () => ({ tools: [plainTool(undefined as never, () => ({ content: [] }))] }),
      /tool.*name/,
    ],
    [
      'a relief on no rung',
      () => ({ reliefs: [{ name: 'r', rung: 'top' as never, offer: () => undefined }] }),
      /relief 'r'.*rung/,
    ],
    ['a section without a text', () => ({ prompt: [{ name: 's', scope: 'static' } as never] }), /section 's'.*text/],
    ['a restorer that restores nothing', () => ({ restorers: [{ name: 'r' } as never] }), /restorer 'r'.*restore/],
    ['hooks that are no functions', () => ({ hooks: { Stop: 'yes' as never } }), /hook 'Stop'/],
    ['no contribution', () => undefined as never, /setup/],
  ]
  it.each(broken)('with %s is an error that names the plugin', async (_what, setup, words) => {
    const plugin = definePlugin({ name: 'careless', setup })
    const error = await createSession({ model: scriptedModel([]), plugins: [plugin] }).catch(
      (reason: unknown) => reason,
    )
    expect(isNacreError(error, 'PLUGIN_SETUP_FAILED')).toBe(true)
    expect(String(error)).toMatch(/'careless'/)
    expect(String(error)).toMatch(words)
  })
})

describe('plugins', () => {
  it('may come as lists', async () => {
    const named = (name: string) => definePlugin({ name, setup: () => ({}) })
    const session = await createSession({ model: scriptedModel([]), plugins: [named('a'), [named('b'), named('c')]] })
    expect((await session.inspect()).plugins.map(({ name }) => name)).toEqual(['session', 'a', 'b', 'c'])
    await session.close()
  })

  const family = [
    definePlugin({ name: 'family', setup: () => ({}) }),
    definePlugin({
      name: 'family/writer',
      partOf: 'family',
      flags: { loud: false },
      setup: ({ store, flag }) => ({
        hooks: {
          SessionStart: async (_event, { note }) => {
            const value = flag('loud')
            await store.append([{ kind: 'state', id: '', time: 0, owner: '', key: 'loud', value }])
            note({ text: 'hello', trust: 'content' })
          },
        },
      }),
    }),
  ]

  it('that are parts of another share its flags, and what they write is its own', async () => {
    const session = await createSession({
      model: scriptedModel(['Yes.']),
      plugins: [family],
      flags: { 'family.loud': true },
    })
    await ask(session, 'Begin.')
    expect(session.flags.list().map(({ name }) => name)).toEqual(['family', 'family.loud'])
    expect(session.view().state('family', 'loud')).toBe(true)
    const owners: string[] = []
    for await (const entry of (await session.inspect()).entries()) if (entry.kind === 'edit') owners.push(entry.owner)
    expect(owners).toEqual(['family'])
    await session.close()
  })

  it('that are parts of another are off while it is', async () => {
    const session = await createSession({ model: scriptedModel(['Yes.']), plugins: family, flags: { family: false } })
    await ask(session, 'Begin.')
    expect(session.view().state('family', 'loud')).toBeUndefined()
    await session.close()
  })

  it('that are parts of another come behind it', async () => {
    const opened = createSession({ model: scriptedModel([]), plugins: family.toReversed() })
    await expect(opened).rejects.toThrow(/'family\/writer'.*'family'/)
  })
})
