import { setTimeout as delay } from 'node:timers/promises'
import type { Effects, Id } from '@nacre/core'
import type { Sandbox } from '../sandbox/create-sandbox.js'
import type { Access, Cage } from '../sandbox/sandbox.js'

/** How the shell tools are set up. All may be left out. */
export interface ShellOptions {
  /** Whether a command only reads: such calls ask nobody and may run side by side. None is unless told. */
  isReadOnlyCommand?(command: string, access?: Access): boolean
  /** Puts commands into cages, where the machine can. Without one they run as they are. */
  readonly sandbox?: Sandbox
  /** The cage that a call was judged for. Where nothing is said of it, it may work in the working folder and below. */
  cageOf?(call: Id): Promise<Cage | 'outside' | undefined>
  /** Variables for commands that run outside of a cage, by the folder they run in. */
  outsideEnvironment?(cwd: string): Promise<Readonly<Record<string, string>>>
  /** The working folder is set back when a command leaves it outside of these. Anywhere unless told. */
  readonly roots?: readonly string[]
  /** Added to the environment of every command; `undefined` takes a variable out. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<ShellLimits>
  /** Where the private folder for long outputs is made; the system's folder for temporary files unless told. */
  readonly folder?: string
  /** The program that runs commands: bash where it is found, else sh. */
  readonly program?: string
  readonly time?: ShellTime
}

export interface ShellLimits {
  /** Milliseconds for a command that asks for no other time. */
  readonly timeout: number
  /** The most milliseconds that a command may ask for. */
  readonly maxTimeout: number
  /** Milliseconds between the polite signal and the one that can not be ignored. */
  readonly grace: number
  /** Characters of a result; the rest of the output is in a file. */
  readonly resultChars: number
  /** Bytes of output that are kept on disk for one command. */
  readonly fileBytes: number
}

/** The clock, which tests pass in. `wait` rejects when its signal is aborted. */
export type ShellTime = Pick<Effects, 'now' | 'wait'>

export const DEFAULT_LIMITS: ShellLimits = {
  timeout: 120_000,
  maxTimeout: 600_000,
  grace: 2_000,
  resultChars: 30_000,
  fileBytes: 1024 ** 3,
}

export const realTime: ShellTime = {
  now: Date.now,
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
}
