/** The variable by which processes of a command are found again, also those that left its group. */
const MARKER = 'NACRE_COMMAND'

/**
 * Nobody sits in front of a command: pagers print, editors and prompts fail at once. `CI` is not set, since tools do
 * other work where they find it: frozen lock files, warnings that count as errors, snapshots that are not written.
 */
const NOBODY_THERE = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
  // What is printed is there when the output is polled, and not lost when the time is up.
  PYTHONUNBUFFERED: '1',
  // Where the shell of the person was before is no place for a `cd -`.
  OLDPWD: undefined,
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a command finds in its environment. A command inside of a command carries the marks of both. */
export function commandEnvironment(mark: string, added: Environment, base: Environment = process.env): Environment {
  const outer = base[MARKER]
  return { ...base, ...NOBODY_THERE, ...added, [MARKER]: outer ? `${outer}:${mark}` : mark }
}
