import { CommanderError } from 'commander'
import { EXIT } from '../exit-codes.js'

/** A command line that can not be followed, said as commander says it. */
export function usageError(message: string): CommanderError {
  return new CommanderError(EXIT.usage, 'nacre.usage', message)
}
