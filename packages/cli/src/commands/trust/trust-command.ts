import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'
import type { TrustChoice } from './change-trust.js'

/** `nacre trust`: lets what a folder brings along take effect. */
export const trustCommand: AddCommand = (program, terminal, end) => {
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
      act(terminal, end, async () => (await import('./change-trust.js')).changeTrust(terminal, folder, choice)),
    )
}
