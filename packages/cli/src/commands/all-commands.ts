import { Argument, InvalidArgumentError, Option } from 'commander'
import { EXIT } from '../terminal/terminal.js'
import { type AddCommand, act, exampleHelp, SESSION } from './add-command.js'
import type { LogFilter } from './log.js'
import { dreamCommand, memoryCommand, notesCommand } from './memory-commands.js'
import type { TrustChoice } from './setup.js'

const KINDS = ['user', 'assistant', 'edit', 'state', 'notice']

/** `nacre sessions`: what there is to go on with. */
const sessionsCommand: AddCommand = (program, terminal, end) => {
  program
    .command('sessions')
    .description('List the sessions of this project, newest first')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre sessions', 'nacre sessions --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./sessions.js')).listSessions(terminal, json)),
    )
}

/** `nacre log`: everything that happened in a session, also what its model no longer sees. */
const logCommand: AddCommand = (program, terminal, end) => {
  program
    .command('log')
    .description('Show the entries of a session, oldest first')
    .argument('<session>', SESSION)
    .option('--json', 'a line of JSON for each entry, whole')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(KINDS))
    .option('--owner <plugin>', 'only entries of this plugin')
    .option('--grep <words>', 'only entries with these words in them')
    .option('--last <count>', 'only so many, from the end', wholeNumber)
    .option('--full', 'all of each entry in place of one line')
    .addHelpText(
      'after',
      exampleHelp(
        'nacre log latest',
        'nacre log latest --kind edit --owner compact',
        'nacre log 3f9a --grep port --full',
        'nacre log latest --last 10 --json',
      ),
    )
    .action((session: string, filter: LogFilter) =>
      act(terminal, end, async () => (await import('./log.js')).showLog(terminal, session, filter)),
    )
}

/** `nacre diff`: what an edit took from the model's view and what it put there. */
const diffCommand: AddCommand = (program, terminal, end) => {
  program
    .command('diff')
    .description('Show what an edit changed in what the model sees')
    .argument('<session>', SESSION)
    .argument('[edit]', 'the id of an edit or its beginning; the last one unless told')
    .option('--full', 'all lines of long blocks')
    .addHelpText(
      'after',
      exampleHelp('nacre log latest --kind edit', 'nacre diff latest 7c20e1', 'nacre diff latest --full'),
    )
    .action((session: string, edit: string | undefined, { full = false }: { full?: boolean }) =>
      act(terminal, end, async () => (await import('./log.js')).showDiff(terminal, session, { edit, isFull: full })),
    )
}

/** `nacre undo`: takes an edit of the view back. */
const undoCommand: AddCommand = (program, terminal, end) => {
  program
    .command('undo')
    .description('Take back what an edit did to the view; nothing was ever lost from the log')
    .argument('<session>', SESSION)
    .argument('[edit]', 'the id of an edit or its beginning; the last fold, drop or clear unless told')
    .option('--force', 'also when the view would be too large for another turn')
    .addHelpText('after', exampleHelp('nacre undo latest', 'nacre undo latest 7c20e1 --force'))
    .action((session: string, edit: string | undefined, { force = false }: { force?: boolean }) =>
      act(terminal, end, async () => (await import('./undo.js')).undoEdit(terminal, session, { edit, force })),
    )
}

/** `nacre verify`: whether a session is whole and would be sent as it was. */
const verifyCommand: AddCommand = (program, terminal, end) => {
  program
    .command('verify')
    .description('Check that the log of a session is whole, renders to what was sent, and has all it refers to')
    .argument('<session>', SESSION)
    .option('--json', 'one JSON object, for scripts')
    .addHelpText('after', exampleHelp('nacre verify latest', 'nacre verify 3f9a --json'))
    .action((session: string, { json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./verify.js')).verifySession(terminal, session, json)),
    )
}

/** `nacre flags`: every part that can be switched, whether it is on, and who says so. */
const flagsCommand: AddCommand = (program, terminal, end) => {
  program
    .command('flags')
    .description('List every flag with its value and where that comes from')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre flags', 'NACRE_FLAGS=compact.clear=off nacre flags --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./setup.js')).listFlags(terminal, json)),
    )
}

/** `nacre import`: goes on with a session of another program. */
const importCommand: AddCommand = (program, terminal, end) => {
  program
    .command('import')
    .description('Take in a session of Claude Code, to go on with it here')
    .argument('<file>', 'its file, a line of JSON for each record')
    .option('--as <id>', 'the id of the new session; the name of the file unless told')
    .addHelpText(
      'after',
      exampleHelp(
        'nacre import ~/.claude/projects/my-project/3f9ac01d.jsonl',
        'nacre import old.jsonl --as old && nacre --resume old',
      ),
    )
    .action((file: string, { as }: { as?: string }) =>
      act(terminal, end, async () => (await import('./import.js')).importSession(terminal, file, as)),
    )
}

/** `nacre doctor`: what works here, what does not, and what to do about it. */
const doctorCommand: AddCommand = (program, terminal, end) => {
  program
    .command('doctor')
    .description('Look at what nacre needs: Node, key, folders, settings, plugins, programs')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre doctor', 'nacre doctor --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./setup.js')).showDiagnosis(terminal, json)),
    )
}

/** `nacre trust`: lets what a folder brings along take effect. */
const trustCommand: AddCommand = (program, terminal, end) => {
  program
    .command('trust')
    .description('Let hooks, MCP servers, plugins and permissions of a folder take effect, there and below')
    .argument('[folder]', 'the folder; the project of the current one unless told')
    .option('--show', 'only list what the folder would start or allow')
    .option('--list', 'list the folders that are trusted')
    .option('--remove', 'take trust back')
    .addHelpText(
      'after',
      exampleHelp('nacre trust --show', 'nacre trust', 'nacre trust --list', 'nacre trust --remove ~/projects/old'),
    )
    .action((folder: string | undefined, choice: TrustChoice) =>
      act(terminal, end, async () => (await import('./setup.js')).changeTrust(terminal, folder, choice)),
    )
}

/** `nacre completion`: commands and options at the press of Tab. */
const completionCommand: AddCommand = (program, terminal, end) => {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      exampleHelp(
        'source <(nacre completion bash)',
        'nacre completion zsh > ~/.zsh/completions/_nacre',
        'nacre completion fish > ~/.config/fish/completions/nacre.fish',
      ),
    )
    .action((shell: 'bash' | 'zsh' | 'fish') =>
      act(terminal, end, async () => {
        const { completionScript } = await import('./completion.js')
        terminal.stdout.write(completionScript(shell, program))
        return EXIT.done
      }),
    )
}

/** Every subcommand of the program. What each does is loaded when it is asked for. */
export const ALL_COMMANDS: readonly AddCommand[] = [
  sessionsCommand,
  logCommand,
  diffCommand,
  undoCommand,
  verifyCommand,
  notesCommand,
  memoryCommand,
  dreamCommand,
  flagsCommand,
  importCommand,
  doctorCommand,
  trustCommand,
  completionCommand,
]

function wholeNumber(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new InvalidArgumentError('It has to be a whole number above 0.')
}
