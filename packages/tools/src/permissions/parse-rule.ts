import { NacreError } from '@nacre/core'
import { describeOrigin, type PermissionRule, type RuleOrigin, type RuleVerdict } from './permission-rule.js'
import { parseCommand } from './shell/parse-command.js'
import { EDITING_TOOLS, READING_TOOLS } from './tool-families.js'

/** Reads a rule such as `Bash(git diff:*)`, or throws with the place it stands at and what is wrong with it. */
export function parseRule(text: unknown, verdict: RuleVerdict, origin: RuleOrigin): PermissionRule {
  const fail = (problem: string): never => {
    const culprit = typeof text === 'string' ? `'${text}'` : JSON.stringify(text)
    const message = `The ${verdict} rule ${culprit} (${describeOrigin(origin)}) is broken: ${problem}`
    throw new NacreError('INVALID_SETTINGS', message)
  }
  if (typeof text !== 'string') return fail('a rule is a text, such as "Bash(npm run test)".')
  const [, tool, subject] = RULE.exec(text.trim()) ?? []
  if (tool === undefined) return fail('it has to be Tool or Tool(what), such as Read(src/**).')
  const problem = subject === undefined ? problemOfTool(tool) : problemOfSubject(tool, subject)
  if (problem !== undefined) fail(problem)
  const rule = { verdict, text: text.trim(), tool, origin }
  return subject === undefined || EVERYTHING.has(subject) ? rule : { ...rule, subject }
}

const RULE = /^([A-Za-z][\w*-]*)(?:\((.*)\))?$/s
const EVERYTHING = new Set(['*', ':*'])

function problemOfTool(tool: string): string | undefined {
  if (!tool.includes('*')) return undefined
  const isServer = tool.startsWith('mcp__') && tool.indexOf('*') === tool.length - 1
  return isServer ? undefined : 'a star stands for many tools only at the end of the name of an MCP tool.'
}

function problemOfSubject(tool: string, subject: string): string | undefined {
  if (subject.trim() === '') return 'there is nothing between the brackets. Leave them out to speak of every call.'
  if (tool.startsWith('mcp__')) return 'rules for MCP tools take no brackets.'
  if (tool === 'Bash') return problemOfCommand(subject)
  if (tool === 'WebFetch') return problemOfDomain(subject)
  const isPath = READING_TOOLS.has(tool) || EDITING_TOOLS.has(tool)
  return isPath && subject.includes('\0') ? 'a path has no zero in it.' : undefined
}

function problemOfCommand(subject: string): string | undefined {
  const colon = subject.indexOf(':*')
  if (colon !== -1 && colon !== subject.length - 2) return "':*' stands only at the end."
  const { parts, unclear, isHiding } = parseCommand(colon === -1 ? subject : subject.slice(0, colon), '/')
  if (unclear.length > 0 && !isHiding && (colon !== -1 || subject.includes('*')))
    return `it is no command: ${unclear[0]}.`
  if (colon !== -1 && parts.filter(({ parent }) => parent === undefined).length !== 1)
    return "what stands before ':*' has to be one command."
  return undefined
}

function problemOfDomain(subject: string): string | undefined {
  const domain = /^domain:(\*\.)?([a-z0-9\u0080-\uffff._-]+|\[[0-9a-f:.]+\])$/i.test(subject)
  return domain ? undefined : 'it has to name a domain, such as WebFetch(domain:example.com).'
}
