/** The fields of a definition that mean something here. */
export type FieldName =
  | 'name'
  | 'description'
  | 'tools'
  | 'disallowedTools'
  | 'model'
  | 'memory'
  | 'maxTurns'
  | 'deadline'
  | 'background'
  | 'isolation'
  | 'permissionMode'
  | 'color'

/** As they are written without `-`, `_`, dots, spaces and capitals. */
const KNOWN: ReadonlyMap<string, FieldName> = new Map([
  ['name', 'name'],
  ['description', 'description'],
  ['tools', 'tools'],
  ['disallowedtools', 'disallowedTools'],
  ['model', 'model'],
  ['memory', 'memory'],
  ['maxturns', 'maxTurns'],
  ['deadline', 'deadline'],
  ['timeout', 'deadline'],
  ['background', 'background'],
  ['isolation', 'isolation'],
  ['permissionmode', 'permissionMode'],
  ['color', 'color'],
])

/** The field that is meant by a written name; `max-turns` and `max_turns` are `maxTurns`. */
export function fieldName(written: string): FieldName | undefined {
  return KNOWN.get(plain(written))
}

/** To leave one of these out would let an agent do more than its author wanted. */
const LIMITS: ReadonlySet<FieldName> = new Set([
  'tools',
  'disallowedTools',
  'maxTurns',
  'deadline',
  'isolation',
  'permissionMode',
])

const NARROWING =
  /^(?:allow|den(?:y|ied)|disallow|forbid|block|restrict|limit|readonly|sandbox|permission|path|network|only|max)/

/** Whether an unknown field may narrow what an agent can do: hooks can be gates, and a merge can bring in anything. */
export function mayNarrow(written: string): boolean {
  const name = plain(written)
  return name === 'hooks' || name === '<<' || NARROWING.test(name)
}

/** Whether a field, known or not, must never be taken for a part of the text before it. */
export function isLimit(written: string): boolean {
  const known = fieldName(written)
  return known === undefined ? plain(written) === 'hooks' : LIMITS.has(known)
}

function plain(written: string): string {
  return written.replace(/[-_.\s]/g, '').toLowerCase()
}
