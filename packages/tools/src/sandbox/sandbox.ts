import type { ChildProcess } from 'node:child_process'

/** What a command is able to do: in `read` it changes nothing, in `work` it writes in the workspace. */
export type CageKind = 'read' | 'work'

/** What the model asks for a command: `outside` is a question to the person in every mode that asks any. */
export type Access = 'read' | 'write' | 'outside'

/** The cage of one command. What widens it a person or a rule has allowed; what narrows it a rule forbids. */
export interface Cage {
  readonly kind: CageKind
  /** Real folders in which work may be done. */
  readonly workspace: readonly string[]
  /** Other places that may be written. */
  readonly writable?: readonly string[]
  /** Places with keys that may be seen. */
  readonly revealed?: readonly string[]
  /** Places that are not there, beside those that hold keys. */
  readonly hidden?: readonly string[]
  /** Git may change the settings of the workspace's own repository: nothing else runs, and what it has made of them is looked at. */
  readonly changesSettings?: boolean
  /** Places that can't be written, beside those that would run later outside of the cage. */
  readonly locked?: readonly string[]
}

/** A program as it is to be started. */
export interface Invocation {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The descriptors that a caged program finds: the first is its own to say what became of the command, and to be held by. */
export const CAGE_DESCRIPTORS = { status: 5, hold: 6, first: 7 } as const

/** What becomes of a cage. */
export interface CageNews {
  /** Whether it stands, so that the command has begun. None is made where a place has gone meanwhile that was to be covered. */
  readonly stands: Promise<boolean>
  /** The exit code of the command once it has ended; nothing where the cage has ended without a word. */
  readonly code: Promise<number | undefined>
}

/** A program inside of a cage, as it is to be started. */
export interface CagedInvocation extends Invocation {
  /** Open files that the program gets, as descriptors from `CAGE_DESCRIPTORS.first` on. Closed by whoever starts it. */
  readonly descriptors: readonly number[]
  /**
   * Whether the cage ends with its first process: that tells by `status` how the command has ended, and stays until `hold` is
   * closed, so that what was left behind can still be named.
   */
  readonly isHeld: boolean
  /**
   * Has to be called with what was started, or with nothing where it could not be: until the cage stands, all others stand
   * still.
   */
  follow(child: ChildProcess | undefined): CageNews
  /**
   * To be called once nothing of it runs any more. Takes away what it has left that would run later outside of the cage, and
   * says what that was.
   */
  after(): Promise<readonly string[]>
}

/** What a machine has to put commands into cages with. */
export interface SandboxStatus {
  readonly name: 'bubblewrap' | 'sandbox-exec' | 'none'
  /** For people: what was tried and, where there is none, why and what to do about it. */
  readonly reason: string
}
