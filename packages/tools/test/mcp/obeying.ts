import { type Block, type SimulatedModel, scripted } from '@nacre/simulator'

/** A model that does what it is told: `call name {"some":"input"}`, once for each prompt, if the tool is on offer. */
export function obeying(): SimulatedModel {
  return scripted(({ messages, tools }) => {
    const last = messages.filter(({ role }) => role === 'user').at(-1)
    const said = ((last?.content ?? []) as readonly Block[]).map(({ text }) => String(text ?? '')).join('\n')
    if (said.includes('story')) return 'And then they went on. '.repeat(500)
    const [, name, input] = said.match(/^call (\S+)(?: (\{.*\}))?$/m) ?? []
    if (name === undefined) return 'ok'
    const isOffered = tools.some((tool) => tool.name === name)
    return isOffered ? [{ type: 'tool_use', name, input: JSON.parse(input ?? '{}') }] : `There is no ${name}.`
  })
}

interface Body {
  readonly system: readonly Block[]
  readonly tools: readonly { readonly name: string; readonly defer_loading?: true }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[]
}

export function bodyOf(body: string | undefined): Body {
  return JSON.parse(body ?? '') as Body
}

/** Whether a request goes on from another one to the byte. Markers are no part of what a cache compares. */
export function goesOn(from: string | undefined, to: string | undefined): boolean {
  const [before, after] = [prefixOf(from), prefixOf(to)]
  return before.length < after.length && after.startsWith(before)
}

function prefixOf(body: string | undefined): string {
  const { system, tools, messages } = JSON.parse(body ?? '', (key, value) =>
    key === 'cache_control' ? undefined : value,
  ) as Body
  return JSON.stringify([tools, system, messages]).slice(0, -2)
}
