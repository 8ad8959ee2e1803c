import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre doctor`: what works here, what does not, and what to do about it. */
export const doctorCommand: AddCommand = (program, terminal, end) => {
  program
    .command('doctor')
    .description('Look at what nacre needs: Node, key, folders, settings, plugins, programs')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre doctor', 'nacre doctor --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./show-diagnosis.js')).showDiagnosis(terminal, json)),
    )
}
