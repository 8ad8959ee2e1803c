import { constants } from 'node:os'
import type { LeftOut } from './kept-ends.js'
import type { ProcessEnd } from './start-process.js'

const SIGNALS = Object.entries(constants.signals)

/** How a shell ended, in words. A shell gives 128 and the number of the signal that ended its last command. */
export function formatEnd({ code, signal }: ProcessEnd): string {
  if (signal) return `ended by ${signal}`
  const [name] = SIGNALS.find(([, number]) => code === 128 + number) ?? []
  return name ? `exit code ${code}, as after ${name}` : `exit code ${code}`
}

/** A time for people. */
export function formatTime(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`
}

/** Where the output is kept, and why not all of it where that is so. */
interface KeptFile {
  readonly path: string | undefined
  readonly bytes: number
  readonly problem: string | undefined
}

/** Says what a result does not show, and how to see it. */
export function formatLeftOut(left: LeftOut, kept: KeptFile): string {
  const lines = left.lines > 1 ? `, lines ${number(left.from)} to ${number(left.from + left.lines - 1)}` : ''
  const gap = `${number(left.bytes)} of ${number(left.totalBytes)} bytes are left out here${lines}.`
  return `[… ${gap} ${place(kept)} …]`
}

function place({ path, bytes, problem }: KeptFile): string {
  const again = 'Run the command again through head, tail or grep to see more.'
  if (path === undefined) return `They could not be kept: ${problem}. ${again}`
  const how = 'read parts of it with Read (offset, limit) or search it with Grep.'
  if (problem === undefined) return `You have not seen them. The whole output is in ${path}: ${how}`
  return `The first ${number(bytes)} bytes are in ${path}: ${how} The rest could not be kept: ${problem}. ${again}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A command as a person has to see it before saying yes: nothing in it moves the cursor, hides or turns text around. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What a command of many lines begins with. */
export function firstLine(command: string): string {
  const [line = '', ...more] = command.trim().split('\n')
  return more.length > 0 ? `${line} …` : line
}
