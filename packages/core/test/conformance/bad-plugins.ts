import type { HookContext } from '../../src/types/hooks.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import type { View } from '../../src/types/view.js'

type Contribution = Awaited<ReturnType<Plugin['setup']>>

const bad = (setup: Plugin['setup'] | Contribution): Plugin =>
  definePlugin({ name: 'bad', setup: typeof setup === 'function' ? setup : () => setup })

/** Renames a call's result where it stands in the view. */
export const splitsPairs = bad({
  hooks: {
    PreModelCall({ view }) {
      const block = view.rounds.at(-1)?.entries.at(-1)?.content[0] as { type: string; tool_use_id: string } | undefined
      if (block?.type === 'tool_result') block.tool_use_id = 'lost'
    },
  },
})

/** A result with a block that the API does not know. */
export const inventsBlocks = bad({
  hooks: { PostToolUse: ({ value }) => ({ ...value, content: [...value.content, { type: 'hint', text: 'Look.' }] }) },
})

/** Shortens what the person said. */
export const cutsPrompts = bad({
  hooks: {
    PreparePrompt: ({ value }) => ({
      content: value.content.map((block) => ({ ...block, text: String(block.text).slice(0, 30) })),
    }),
  },
})

/** Puts what changes into the system prompt. */
export const tellsTime = bad(() => {
  let calls = 0
  return {
    hooks: {
      PreModelCall({ view }) {
        const block = view.rounds[0]?.entries[0]?.content[0] as { text: string } | undefined
        if (block) block.text = `${block.text.split(' It is')[0]} It is ${++calls} o'clock.`
      },
    },
  }
})

/** Changes a block of the view where it stands, which no log tells of. */
export const editsInPlace = bad({
  hooks: {
    PreModelCall({ view }) {
      const block = view.rounds[0]?.entries[0]?.content[0] as { text: string } | undefined
      if (block) block.text += ' And hurry.'
    },
  },
})

/** Replaces an old result by a longer one, through the door for background work. */
export const growsView = bad({
  hooks: {
    PostModelCall({ view }, context) {
      void grow(view, context)
    },
  },
})

function grow(view: View, { propose }: HookContext) {
  for (const { entries } of view.rounds) {
    for (const { id, content } of entries) {
      const [block] = content
      const target = { entry: id, block: 0 }
      if (block?.type !== 'tool_result' || view.shows(target) !== 'whole') continue
      const longer = {
        ...block,
        content: [{ type: 'text', text: `${JSON.stringify(block.content)} ${'and more '.repeat(300)}` }],
      }
      return propose({ changes: [{ kind: 'replace', target, content: [longer] }], reason: 'more' })
    }
  }
  return undefined
}

/** Goes on with what it kept from an earlier hook after it was switched off. */
export const worksWhenOff = bad(({ store }) => {
  const timers: NodeJS.Timeout[] = []
  const state = { kind: 'state' as const, id: '', time: 0, owner: 'bad', key: 'late', value: 1 }
  return {
    hooks: {
      UserPromptSubmit() {
        const work = () => void store.append([state]).catch(() => undefined)
        if (timers.length === 0) timers.push(setInterval(work, 5))
      },
    },
    dispose: () => timers.forEach(clearInterval),
  }
})

/** Changes the process, and leaves it changed. */
export const patchesFetch = bad(() => {
  const original = globalThis.fetch
  globalThis.fetch = (input, init) =>
    original(input, {
      ...init,
      ...(init?.body instanceof Uint8Array && {
        body: new TextDecoder().decode(init.body).replace('You work', 'You toil'),
      }),
    })
  return {}
})

let prompts = 0

/** Counts over all sessions. */
export const leaksState = bad({
  hooks: {
    UserPromptSubmit: (_event, { note }) => note({ text: `Task ${++prompts} of today.`, trust: 'content' }),
  },
})

/** Counts in a closure what a resume has to know. */
export const forgets = bad(() => {
  let count = 0
  return {
    hooks: {
      UserPromptSubmit: (_event, { note }) => note({ text: `Task ${++count} of this session.`, trust: 'content' }),
    },
  }
})

/** Lets nothing in until what it let in has come to its end. */
export const staysLocked = bad(() => {
  let isBusy = false
  return {
    hooks: {
      UserPromptSubmit() {
        if (isBusy) return { verdict: 'block', reason: 'One task at a time.' }
        isBusy = true
        return undefined
      },
      Stop() {
        isBusy = false
      },
    },
  }
})

/** Waits for ever. */
export const hangs = bad({
  hooks: { PreModelCall: { timeout: Number.POSITIVE_INFINITY, handler: () => new Promise<never>(() => undefined) } },
})

/** Can be disposed once. */
export const disposesOnce = bad(() => {
  let timer: { stop(): void } | undefined = { stop: () => undefined }
  return {
    dispose() {
      ;(timer as { stop(): void }).stop()
      timer = undefined
    },
  }
})

/** Fails in a hook whose failures stay inside. */
export const throwsInHooks = bad({
  hooks: {
    PostToolUse() {
      throw new Error('no such file')
    },
  },
})

/** Can't be set up. */
export const failsToStart = bad(() => {
  throw new Error('no such folder')
})
