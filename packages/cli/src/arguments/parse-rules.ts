import { InvalidArgumentError } from 'commander'

/** Rules as `Bash(git:*),Read Edit`: a comma or a space ends one, unless it stands in brackets. Options may be repeated. */
export function parseRules(text: string, before: readonly string[] = []): readonly string[] {
  const rules: string[] = []
  let depth = 0
  let rule = ''
  for (const letter of `${text},`) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (depth <= 0 && /[,\s]/.test(letter)) {
      if (rule !== '') rules.push(rule)
      rule = ''
    } else rule += letter
  }
  if (depth !== 0) throw new InvalidArgumentError(`A bracket is not closed: expected rules such as "Bash(git:*),Read".`)
  if (rules.length === 0) throw new InvalidArgumentError('Expected rules such as "Bash(git:*),Read".')
  return [...before, ...rules]
}
