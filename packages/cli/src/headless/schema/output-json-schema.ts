import { z } from 'zod'
import { lineSchema } from './line-schema.js'

/**
 * The schema of a line of `stream-json`; what `json` prints is the one with the type `result`. It lets fields pass that
 * it does not know: a later program may print more, and whoever checks by this one has to go on.
 */
export function outputJsonSchema(): object {
  return {
    ...z.toJSONSchema(lineSchema, { io: 'input', target: 'draft-7' }),
    title: 'Output of nacre --print',
    description: 'A line of --output-format stream-json. The object of --output-format json has the type "result".',
  }
}
