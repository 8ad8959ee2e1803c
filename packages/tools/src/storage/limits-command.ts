import type { Command, HookContext, Json, View } from '@nacre/core'
import { limitsSchema, type ResultLimits } from './result-limits.js'
import { OWNER, type StorageParts } from './storage-parts.js'

const USAGE = 'Say a limit and a number, such as `message 100000` or `tools.Bash 10000`; `default` takes it back.'

type Given = Partial<ResultLimits>

/** Shows the limits, and sets them for the rest of the session. */
export function limitsCommand({ store, limits }: Pick<StorageParts, 'store' | 'limits'>): Command {
  return {
    name: 'result-limits',
    help: `Shows how long results may be, or changes it: ${USAGE}`,
    async run(args, { view }: HookContext) {
      const [name, amount, ...rest] = args.trim().split(/\s+/).filter(Boolean)
      if (name === undefined) return shown(limits(view()))
      const set = rest.length === 0 ? changed(setIn(view()), name, amount) : undefined
      if (!set) return `'${args.trim()}' is no limit. Known: ${KNOWN.join(', ')}, tools.<name>. ${USAGE}`
      const value = set as unknown as Json
      await store.append([{ kind: 'state', id: '', time: 0, owner: OWNER, key: 'limits', value }])
      return shown(limits(view()))
    },
  }
}

const KNOWN = Object.keys(limitsSchema.shape).filter((name) => name !== 'tools')

function setIn(view: View): Given {
  return (view.state(OWNER, 'limits') ?? {}) as Given
}

function changed(set: Given, name: string, amount = ''): Given | undefined {
  // A number beyond all numbers would not come back from the log.
  if (amount !== 'default' && !(/^\d+$/.test(amount) && Number.isFinite(Number(amount)))) return undefined
  if (name.startsWith('tools.'))
    return { ...set, tools: withAmount(set.tools ?? {}, name.slice('tools.'.length), amount) }
  return KNOWN.includes(name) ? withAmount(set as Record<string, never>, name, amount) : undefined
}

function withAmount<Amounts extends object>(amounts: Amounts, name: string, amount: string): Amounts {
  const others = Object.entries(amounts).filter(([other]) => other !== name)
  return Object.fromEntries(amount === 'default' ? others : [...others, [name, Number(amount)]]) as Amounts
}

function shown({ tools, ...limits }: ResultLimits): string {
  const own = Object.entries(tools).map(([name, amount]) => [`tools.${name}`, amount] as const)
  return [...Object.entries(limits), ...own].map(([name, amount]) => `${name} ${amount}`).join('\n')
}
