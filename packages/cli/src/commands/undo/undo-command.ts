import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre undo`: takes an edit of the view back. */
export const undoCommand: AddCommand = (program, terminal, end) => {
  program
    .command('undo')
    .description('Take back what an edit did to the view; nothing was ever lost from the log')
    .argument('<session>', 'an id or its beginning, words of the title, or "latest"')
    .argument('[edit]', 'the id of an edit or its beginning; the last fold, drop or clear unless told')
    .option('--force', 'also when the view would be too large for another turn')
    .addHelpText('after', exampleHelp('nacre undo latest', 'nacre undo latest 7c20e1 --force'))
    .action((session: string, edit: string | undefined, { force = false }: { force?: boolean }) =>
      act(terminal, end, async () => (await import('./undo-edit.js')).undoEdit(terminal, session, { edit, force })),
    )
}
