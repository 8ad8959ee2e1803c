import { Command, InvalidArgumentError, Option } from 'commander'
import { nearestWord } from '../terminal/nearest-word.js'

const MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions']

/** The program with its own options and no commands yet. It throws where commander would end the process. */
export function createProgram(version: string): Command {
  const program = new Command('nacre')
    .description('An agent in the terminal whose conversations never run out of context.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or that of a command')
    .helpCommand('help [command]', 'Print this help, or that of a command')
    .argument('[prompt]', 'what to begin with')
    .usage('[options] [prompt]\n       nacre <command> [options]')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', helpText)
  for (const option of [...scriptOptions(), ...sessionOptions(), ...otherOptions()]) program.addOption(option)
  return program
}

function scriptOptions(): readonly Option[] {
  return [
    new Option('-p, --print [prompt]', 'answer and end; stdin is read as context').helpGroup('For scripts:'),
    new Option('--output-format <format>', 'how to answer')
      .choices(['text', 'json', 'stream-json'])
      .helpGroup('For scripts:'),
    new Option('--input-format <format>', 'how to read stdin')
      .choices(['text', 'stream-json'])
      .helpGroup('For scripts:'),
    new Option('--max-turns <count>', 'answers of the model before a query is stopped')
      .argParser((text) => parseAmount(text, 'whole'))
      .helpGroup('For scripts:'),
    new Option('--max-budget <dollars>', 'what the session may spend')
      .argParser((text) => parseAmount(text, 'dollars'))
      .helpGroup('For scripts:'),
    new Option('--agents-wait <seconds>', 'how long to wait for agents in the background; 600 unless told')
      .argParser(parseSeconds)
      .helpGroup('For scripts:'),
  ]
}

function sessionOptions(): readonly Option[] {
  return [
    new Option('-c, --continue', 'go on with the latest session of this folder').helpGroup('Sessions:'),
    new Option('-r, --resume [session]', 'go on with a session, by id or words of its title').helpGroup('Sessions:'),
    new Option('--fork-session', 'go on with a copy, and leave the session as it is').helpGroup('Sessions:'),
    new Option('--take-up', 'go on with the system prompt and the tools of today').helpGroup('Sessions:'),
    new Option('--session-id <id>', 'the id of the new session').helpGroup('Sessions:'),
  ]
}

function otherOptions(): readonly Option[] {
  return [
    new Option('--permission-mode <mode>', 'what needs no question').choices(MODES).helpGroup('Permissions:'),
    new Option('--allowed-tools <rules>', 'calls that need no question, such as "Bash(git:*),Edit"')
      .argParser(parseRules)
      .helpGroup('Permissions:'),
    new Option('--disallowed-tools <rules>', 'calls that are never made')
      .argParser(parseRules)
      .helpGroup('Permissions:'),
    new Option('--add-dir <folder>', 'another folder to work in; may be repeated')
      .argParser((folder, before: readonly string[] = []) => [...before, folder])
      .helpGroup('Permissions:'),
    new Option('--model <name>', 'the model that answers').helpGroup('Model and settings:'),
    new Option('--offline', 'answer without a key or network, by the offline model').helpGroup('Model and settings:'),
    new Option('--flags <list>', 'switch layers, such as compact.clear=off,session-memory=on')
      .argParser(parseFlagList)
      .helpGroup('Model and settings:'),
    new Option('--settings <file>', 'more settings, above those of the user and the project').helpGroup(
      'Model and settings:',
    ),
  ]
}

/** A number above zero; `whole` ones are counted, the others are dollars. */
function parseAmount(text: string, kind: 'whole' | 'dollars'): number {
  const value = Number(kind === 'dollars' ? text.replace(/^\$/, '') : text)
  const isGood =
    text.trim() !== '' && Number.isFinite(value) && value > 0 && (kind === 'dollars' || Number.isInteger(value))
  if (isGood) return value
  throw new InvalidArgumentError(
    kind === 'whole' ? 'Expected a whole number above 0, as in 10.' : 'Expected dollars above 0, as in 0.50.',
  )
}

function parseSeconds(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new InvalidArgumentError('Expected seconds, 0 or more, as in 600.')
}

/** Flags as `name=on,other=off`. Whether they exist is known when the plugins are. */
function parseFlagList(
  text: string,
  before: Readonly<Record<string, boolean>> = {},
): Readonly<Record<string, boolean>> {
  const pairs = text.split(',').map((pair) => /^\s*([\w.-]+)\s*=\s*(on|off)\s*$/.exec(pair))
  if (pairs.some((pair) => pair === null)) {
    throw new InvalidArgumentError('Expected name=on or name=off, separated by commas, as in compact.clear=off.')
  }
  return { ...before, ...Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] === 'on'])) }
}

/** Rules as `Bash(git:*),Read Edit`: a comma or a space ends one, unless it stands in brackets. Options may be repeated. */
function parseRules(text: string, before: readonly string[] = []): readonly string[] {
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

/** What to say where a word, which would be a prompt, looks like a command with a slip in it; `--` before it makes it a prompt. */
export function misspeltCommand(
  program: Command,
  args: readonly string[],
  word: string | undefined,
): string | undefined {
  const isForScripts = args.some((each) => each.startsWith('-p') || each.startsWith('--print'))
  if (isForScripts || args.includes('--')) return undefined
  const known = program.commands.map((command) => command.name())
  if (word === undefined || !/^[a-z]{3,}$/.test(word) || word === 'help' || known.includes(word)) return undefined
  const name = nearestWord(word, known)
  return name && `There is no command '${word}'. Did you mean 'nacre ${name}'? As a prompt: nacre -- ${word}`
}

/** What stands below the options in `nacre --help`. */
const helpText = `
Examples:
  In the terminal
    nacre                                         begin to talk
    nacre "Why does the login test fail?"         begin with a question
    nacre --continue                              go on where you were
    nacre --resume "login test"                   go on with a session by words of its title
    nacre --continue --fork-session               the same in a copy
    nacre --continue --take-up                    with the system prompt and tools of today
    nacre --offline                               try it without a key
    nacre --model claude-sonnet-5-5 --flags compact.clear=off
    nacre --add-dir ../shared --settings strict.json --disallowed-tools "WebFetch,Bash(curl:*)"

  In scripts
    nacre -p "What does this project do?"         print the answer and end
    git diff | nacre -p "Review this"             with context from stdin
    nacre -p --output-format json "List the bugs" one object with the answer, the cost and the session
    nacre -p --max-turns 5 --max-budget 0.50 "Fix the lint errors" --permission-mode acceptEdits
    nacre -p --allowed-tools "Bash(npm test:*)" "Do the tests pass?"
    nacre -p --session-id nightly-7 "Update the changelog"
    nacre -p --agents-wait 1800 "Review each package with an agent of its own"
    nacre -p --input-format stream-json --output-format stream-json < messages.jsonl

Environment:
  ANTHROPIC_API_KEY       the key of the Messages API
  ANTHROPIC_BASE_URL      another server that speaks it
  NACRE_HOME              where sessions, notes and trust are kept; a whole path
  NACRE_MODEL             the model, in place of the one that settings name
  NACRE_CONTEXT_WINDOW    its window in tokens
  NACRE_AUTOCOMPACT_PCT   how full the window may be before it is compacted
  NACRE_FLAGS             flags, as --flags
  NO_COLOR                no colours

Exit codes:
  0 done, 1 failed, 2 wrong use, 3 limit reached, 4 refused or blocked, 5 no way to a model, 130 interrupted
`
