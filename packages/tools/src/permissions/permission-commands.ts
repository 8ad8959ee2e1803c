import type { Command } from '@nacre/core'
import type { Permissions } from './create-permissions.js'
import { isPermissionMode, MODE_SPELLINGS, PERMISSION_MODES } from './permission-mode.js'
import { describeRule, RULE_VERDICTS } from './permission-rule.js'

/** `/permissions` and `/mode`. */
export function permissionCommands(live: Permissions): Command[] {
  return [
    {
      name: 'permissions',
      help: 'Lists the rules and where they came from; adds one for the session: allow|ask|deny Tool(what).',
      run: (args) => (args.trim() === '' ? listed(live) : added(live, args.trim())),
    },
    {
      name: 'mode',
      help: `Shows the permission mode, or sets it: ${PERMISSION_MODES.join(', ')}.`,
      run: (args) => changed(live, args.trim()),
    },
  ]
}

function listed(live: Permissions): string {
  const rules = RULE_VERDICTS.flatMap((verdict) => live.rules().filter((rule) => rule.verdict === verdict))
  const lines = rules.length === 0 ? ['There are no rules.'] : rules.map((rule) => `- ${describeRule(rule)}`)
  const folders = live.workspace.map((folder) => `- workspace ${folder}`)
  return [`The mode is ${live.mode}.`, ...lines, ...folders].join('\n')
}

async function added(live: Permissions, args: string): Promise<string> {
  const [, word, text] = /^(\S+)\s+(.+)$/s.exec(args) ?? []
  const verdict = RULE_VERDICTS.find((known) => known === word)
  if (!verdict || text === undefined)
    return `Say allow, ask or deny, and then the rule, such as: allow Bash(npm run test:*)`
  try {
    return `Added: ${describeRule(await live.addRule(verdict, text))}.`
  } catch (error) {
    return (error as Error).message
  }
}

async function changed(live: Permissions, word: string): Promise<string> {
  const mode = MODE_SPELLINGS[word] ?? word
  if (mode === '') return `The mode is ${live.mode}. There are ${PERMISSION_MODES.join(', ')}.`
  if (!isPermissionMode(mode)) return `There is no mode '${mode}'. There are ${PERMISSION_MODES.join(', ')}.`
  await live.setMode(mode)
  return `The mode is ${mode}.`
}
