/** What a profile of macOS lets be done. Each asks about some subjects, and gives those for which the answer is another one. */
export interface Readings {
  allows(operation: string, ...subjects: string[]): readonly string[]
  refuses(operation: string, ...subjects: string[]): readonly string[]
  reads(...paths: string[]): readonly string[]
  writes(...paths: string[]): readonly string[]
  connects(address: string): boolean
}

type Order = 'the last rule decides' | 'a rule about one operation goes first'
type Expression = string | readonly Expression[]

/** Reads a profile in the way in which the kernel is told to: the last rule that fits decides. */
export function readings(profile: string, order: Order): Readings {
  const [version, ...rules] = parse(profile)
  if (JSON.stringify(version) !== '["version","1"]') throw new Error('a profile begins with its version')
  const isAllowed = (operation: string, subject: string) => decide(rules, operation, subject, order)
  const allows = (operation: string, ...subjects: string[]) => subjects.filter((each) => !isAllowed(operation, each))
  return {
    allows,
    refuses: (operation, ...subjects) => subjects.filter((each) => isAllowed(operation, each)),
    reads: (...paths) => [...allows('file-read-data', ...paths), ...allows('file-read-metadata', ...paths)],
    writes: (...paths) => [...allows('file-write-data', ...paths), ...allows('file-write-create', ...paths)],
    connects: (address) => isAllowed('network-outbound', address),
  }
}

function decide(rules: readonly Expression[], operation: string, subject: string, order: Order): boolean {
  const fitting = rules.flatMap((rule) => {
    if (typeof rule === 'string') throw new Error(`${rule} is no rule`)
    const [action, ...rest] = rule
    const operations = rest.filter((each) => typeof each === 'string')
    const filters = rest.filter((each) => typeof each !== 'string')
    const named = operations.filter((each) => speaksOf(each, operation))
    if (named.length === 0 || (filters.length > 0 && !filters.some((filter) => fits(filter, subject)))) return []
    return [{ isAllow: action === 'allow', isExact: named.includes(operation) }]
  })
  const exact = fitting.filter(({ isExact }) => isExact)
  const asked = order === 'the last rule decides' || exact.length === 0 ? fitting : exact
  return asked.at(-1)?.isAllow ?? false
}

function speaksOf(named: string, operation: string): boolean {
  if (named === 'default' || named === operation) return true
  return named.endsWith('*') && operation.startsWith(named.slice(0, -1))
}

function fits([kind, ...args]: readonly Expression[], subject: string): boolean {
  const [value = '', port = ''] = args.map((each) => (typeof each === 'string' ? each : ''))
  switch (kind) {
    case 'literal':
    case 'global-name':
    case 'sysctl-name':
      return subject === value
    case 'subpath':
      return subject === value || subject.startsWith(`${value}/`)
    case 'sysctl-name-prefix':
      return subject.startsWith(value)
    case 'regex':
      return new RegExp(value).test(subject)
    case 'remote':
      return value === 'ip' && port === subject
    // About processes and sockets, of which these tests ask nothing.
    case 'target':
    case 'require-all':
      return false
    default:
      throw new Error(`${String(kind)} is no filter that is known`)
  }
}

function parse(text: string): readonly Expression[] {
  const tokens = text.match(/"(?:[^"\\]|\\[\s\S])*"|#"[^"]*"|[()]|[^\s()"]+/g) ?? []
  let at = 0
  const list = (isInside: boolean): Expression[] => {
    const found: Expression[] = []
    for (;;) {
      const token = tokens[at++]
      if (token === undefined) {
        if (isInside) throw new Error('a parenthesis is open at the end')
        return found
      }
      if (token === ')') {
        if (!isInside) throw new Error('a parenthesis is closed that was not open')
        return found
      }
      found.push(token === '(' ? list(true) : plain(token))
    }
  }
  return list(false)
}

function plain(token: string): string {
  if (token.startsWith('#')) return token.slice(2, -1)
  return token.startsWith('"') ? token.slice(1, -1).replace(/\\([\s\S])/g, '$1') : token
}
