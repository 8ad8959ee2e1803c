import { Argument } from 'commander'
import { EXIT } from '../../exit-codes.js'
import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre completion`: commands and options at the press of Tab. */
export const completionCommand: AddCommand = (program, terminal, end) => {
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
        const { completionScript } = await import('./completion-script.js')
        terminal.stdout.write(completionScript(shell, program))
        return EXIT.done
      }),
    )
}
