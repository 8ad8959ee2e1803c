import type { RunFlags } from './run-flags.js'
import { usageError } from './usage-error.js'

type Rule = readonly [isBroken: (flags: RunFlags, argument: string | undefined) => boolean, message: string]

const isStream = ({ inputFormat }: RunFlags) => inputFormat === 'stream-json'

const RULES: readonly Rule[] = [
  [
    ({ print }, argument) => typeof print === 'string' && argument !== undefined,
    'There are two prompts, one after --print and one more. Put quotation marks around a prompt of several words.',
  ],
  [
    (flags) => flags.continue === true && flags.resume !== undefined,
    '--continue and --resume exclude each other: --continue is the latest session, --resume one that you name.',
  ],
  [
    ({ sessionId, resume, ...flags }) => sessionId !== undefined && (flags.continue === true || resume !== undefined),
    '--session-id names a new session: it does not go with --continue or --resume.',
  ],
  [
    ({ sessionId }) => sessionId !== undefined && !/^[\w.-]{1,64}$/.test(sessionId),
    '--session-id has to be letters, digits and any of - _ . up to 64, such as nightly-7.',
  ],
  [
    ({ resume }) => typeof resume === 'string' && resume.trim() === '',
    '--resume has to be followed by an id or words of a title, or by nothing to choose from a list.',
  ],
  [
    ({ forkSession, resume, ...flags }) => forkSession === true && !flags.continue && resume === undefined,
    '--fork-session copies a session: say which with --continue or --resume.',
  ],
  [
    ({ print, outputFormat }) => print === undefined && outputFormat !== undefined,
    '--output-format is for scripts: it needs --print.',
  ],
  [
    ({ print, inputFormat }) => print === undefined && inputFormat !== undefined,
    '--input-format is for scripts: it needs --print.',
  ],
  [
    (flags) => isStream(flags) && flags.outputFormat !== 'stream-json',
    '--input-format stream-json needs --output-format stream-json: every message gets an answer of its own.',
  ],
  [
    (flags, argument) => isStream(flags) && (argument !== undefined || typeof flags.print === 'string'),
    'With --input-format stream-json prompts come from stdin: leave the one on the command line out.',
  ],
  [
    ({ print, resume }) => print !== undefined && resume === true,
    '--resume has to name a session when nobody is there to choose: --resume <id>, or --continue for the latest.',
  ],
]

/** Throws a usage error for the first rule that options break together. */
export function checkTogether(flags: RunFlags, argument: string | undefined): void {
  const broken = RULES.find(([isBroken]) => isBroken(flags, argument))
  if (broken) throw usageError(broken[1])
}
