import type { Accounting, Inspection } from '@nacre/core'

/** Tokens by whose they are, largest first; they sum to what the classes sum to. */
export function tokensByOwner(
  { classes }: Accounting,
  plugins: Inspection['plugins'],
): readonly (readonly [owner: string, tokens: number])[] {
  const tools = new Map(
    plugins.flatMap(({ name, contribution }) => (contribution.tools ?? []).map((tool) => [tool.name, name] as const)),
  )
  const sums = new Map<string, number>()
  for (const { name, tokens } of classes) {
    const owner = ownerOf(name, tools)
    sums.set(owner, (sums.get(owner) ?? 0) + tokens)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

function ownerOf(name: string, tools: ReadonlyMap<string, string>): string {
  const [, tool] = /^(?:call|result) (.*)$/s.exec(name) ?? []
  if (tool !== undefined) return tools.get(tool) ?? 'a tool that is gone'
  const [, owner] = /^note of (.*)$/s.exec(name) ?? []
  if (owner !== undefined) return owner
  if (name === 'human') return 'you'
  return name === 'assistant' || name === 'thinking' ? 'the model' : 'prompt and tools'
}
