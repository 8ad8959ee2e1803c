import { Command, Option } from 'commander'
import { helpText } from './help-text.js'
import { parseAmount } from './parse-amount.js'
import { parseFlagList } from './parse-flag-list.js'
import { parseRules } from './parse-rules.js'

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
  ]
}

function sessionOptions(): readonly Option[] {
  return [
    new Option('-c, --continue', 'go on with the latest session of this folder').helpGroup('Sessions:'),
    new Option('-r, --resume [session]', 'go on with a session, by id or words of its title').helpGroup('Sessions:'),
    new Option('--fork-session', 'go on with a copy, and leave the session as it is').helpGroup('Sessions:'),
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
