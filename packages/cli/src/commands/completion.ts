import type { Command } from 'commander'

interface Words {
  /** Of commands, as `memory show`; empty for the program itself. */
  readonly path: string
  readonly help: string
  readonly options: readonly OptionWords[]
  readonly commands: readonly Words[]
  /** What a command with a fixed choice takes. */
  readonly choices: readonly string[]
}

interface OptionWords {
  readonly flag: string
  readonly help: string
  /** What it takes, where that is a fixed choice; `undefined` where it takes something else, or nothing. */
  readonly values?: readonly string[] | undefined
  readonly takesValue: boolean
}

/** The script for a shell, worked out from the commands that the program really has. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const words = wordsOf(program, '')
  return shell === 'bash' ? bashScript(words) : shell === 'zsh' ? zshScript(words) : fishScript(words)
}

function wordsOf(command: Command, path: string): Words {
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description, argChoices, required }) => ({
      flag: long ?? '',
      help: description,
      values: argChoices,
      takesValue: required,
    }))
  const commands = command.commands.map((each) => wordsOf(each, `${path} ${each.name()}`.trim()))
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  return {
    path,
    help: command.description(),
    options: [...options, { flag: '--help', help: 'show help', takesValue: false }],
    commands,
    choices,
  }
}

function all(words: Words): readonly Words[] {
  return [words, ...words.commands.flatMap(all)]
}

function nameOf({ path }: Words): string {
  return path.split(' ').at(-1) ?? ''
}

function candidates({ commands, options, choices }: Words): string {
  return [...commands.map(nameOf), ...choices, ...options.map(({ flag }) => flag)].join(' ')
}

/** What may follow an option that has to have a value; where that is not known, files are. */
function valueCases(words: Words): readonly string[] {
  const options = all(words).flatMap((each) => each.options.filter(({ takesValue }) => takesValue))
  const known = new Map(options.map(({ flag, values = [] }) => [flag, values]))
  return [...known].map(([flag, values]) => `    ${flag}) words="${values.join(' ')}" ;;`)
}

function bashScript(words: Words): string {
  const cases = all(words).map((each) => `    "${each.path}") words="${candidates(each)}" ;;`)
  return `_nacre() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${all(words)
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") path="${path}" ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$previous" in
${valueCases(words).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _nacre nacre
`
}

function zshScript(words: Words): string {
  return `#compdef nacre\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`
}

function fishScript(words: Words): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'").split('\n')[0]}'`
  const names = words.commands.map(nameOf).join(' ')
  const top = `not __fish_seen_subcommand_from ${names}`
  const when = ({ path }: Words) =>
    path === ''
      ? top
      : path
          .split(' ')
          .map((name) => `__fish_seen_subcommand_from ${name}`)
          .join('; and ')
  const lines = all(words).flatMap((each) => [
    ...each.commands.map(
      (command) => `complete -c nacre -f -n ${quoted(when(each))} -a ${nameOf(command)} -d ${quoted(command.help)}`,
    ),
    ...each.choices.map((choice) => `complete -c nacre -f -n ${quoted(when(each))} -a ${choice}`),
    ...each.options.map(
      ({ flag, help, values, takesValue }) =>
        `complete -c nacre -n ${quoted(when(each))} -l ${flag.slice(2)}${takesValue ? ' -r' : ''}${values ? ` -f -a ${quoted(values.join(' '))}` : ''} -d ${quoted(help)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
