import type { CommandWord } from './command-word.js'
import type { LookedThrough, Run } from './looked-through.js'
import { withoutGlobals } from './without-globals.js'

/** Flags whose value a shell reads, by subcommand. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  clone: /^-u|^--upload-p/,
  difftool: /^(-x|--extc\w*)(=|$)/,
  'filter-branch': /^--[\w-]+-filter(=|$)/,
  rebase: /^(-[a-z]*x|--exec?)(=|$)/,
}

/** The commands that git runs because it is told to. */
export function runsOfGit(rest: readonly CommandWord[]): LookedThrough | undefined {
  const [name, ...args] = withoutGlobals(rest)
  const runs = [...aliasRuns(rest), ...subcommandRuns(name?.text ?? '', args)]
  return runs.length === 0 ? undefined : { wrapper: 'opaque', runs }
}

function subcommandRuns(name: string, args: readonly CommandWord[]): Run[] {
  if (name === 'bisect' && args[0]?.text === 'run' && args.length > 1) return [{ words: args.slice(1) }]
  const each = name === 'submodule' ? args.findIndex(({ text }) => text === 'foreach') : -1
  if (each !== -1) {
    const script = args.slice(each + 1).filter(({ text }, at) => at > 0 || !text.startsWith('-'))
    return script.length === 0 ? [] : [{ script }]
  }
  return Object.hasOwn(SCRIPTS, name) ? valuesOf(args, SCRIPTS[name] as RegExp) : []
}

function valuesOf(args: readonly CommandWord[], flag: RegExp): Run[] {
  return args.flatMap((word, at) => {
    if (!flag.test(word.text)) return []
    const equals = word.text.indexOf('=')
    const value = equals === -1 ? args[at + 1] : { ...word, text: word.text.slice(equals + 1) }
    return value ? [{ script: [value] }] : []
  })
}

/** `git -c alias.x='!command' x`. */
function aliasRuns(rest: readonly CommandWord[]): Run[] {
  return rest.flatMap((word) => {
    const [, script] = /^(?:-c)?alias\.[^=]*=!(.*)$/s.exec(word.text) ?? []
    return script === undefined ? [] : [{ script: [{ ...word, text: script }] }]
  })
}
