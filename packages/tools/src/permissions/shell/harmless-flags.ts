import type { CommandWord } from './command-word.js'

/** Which flags of a command do nothing but change what it prints, and what its other words are. */
export interface HarmlessCommand {
  /** Only these flags, by words; `-#` is a number. Without it every flag but `except`. */
  readonly only?: string
  /** Not these flags, neither in full nor shortened. */
  readonly except?: string
  /** Of the flags, those whose value may be the next word. */
  readonly valued?: string
  /** Single letters whose value may be the rest of the word, and which never skip the next one. */
  readonly attached?: string
  /** `paths` it reads, a `pattern` and then paths, or `text` that names nothing. */
  readonly operands: 'paths' | 'pattern' | 'text' | 'none'
  /** Of operands; any number unless told. */
  readonly most?: number
}

/** Operands of a command whose flags are all harmless; nothing when one of them may not be. */
export function harmlessOperands(
  args: readonly CommandWord[],
  command: HarmlessCommand,
): readonly CommandWord[] | undefined {
  const only = command.only === undefined ? undefined : new Set(command.only.split(' '))
  const valued = new Set(command.valued?.split(' ') ?? [])
  const attached = new Set(command.attached?.split(' ') ?? [])
  const excepted = command.except?.split(' ') ?? []
  const matters = only !== undefined || excepted.length > 0
  const operands: CommandWord[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as CommandWord
    if (word.kind === 'static' && word.text === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!isFlag(word, matters)) operands.push(word)
    else if (word.kind !== 'static' && matters) return undefined
    else {
      const harm = only ? !isAmong(word.text, only, new Set([...valued, ...attached])) : isExcepted(word.text, excepted)
      if (harm) return undefined
      if (takesNext(word.text, valued, attached) && !isFlag(args[at + 1] ?? word, matters)) at++
    }
  }
  return operands.length > (command.most ?? Number.POSITIVE_INFINITY) ? undefined : operands
}

/** A word that is not known could turn out to be a flag, where that matters. */
function isFlag({ kind, text }: CommandWord, matters: boolean): boolean {
  if (text.startsWith('-') && text !== '-') return true
  if (!matters || kind === 'static') return false
  return kind !== 'glob' || /^[*?[]/.test(text)
}

function isAmong(text: string, only: ReadonlySet<string>, ending: ReadonlySet<string>): boolean {
  if (only.has(text)) return true
  if (text.startsWith('--')) return text.includes('=') && only.has(text.slice(0, text.indexOf('=')))
  if (/^-\d+$/.test(text)) return only.has('-#')
  for (const letter of text.slice(1)) {
    const flag = `-${letter}`
    if (!only.has(flag)) return false
    if (ending.has(flag)) return true
  }
  return true
}

function isExcepted(text: string, excepted: readonly string[]): boolean {
  if (text.startsWith('--')) {
    const name = text.split('=', 1)[0] ?? text
    return excepted.some((flag) => flag.startsWith('--') && flag.startsWith(name))
  }
  return excepted.some(
    (flag) => !flag.startsWith('--') && (flag.length > 2 ? text === flag : text.includes(flag.slice(1))),
  )
}

/** The first letter that takes a value takes the rest of the word, if there is one. */
function takesNext(text: string, valued: ReadonlySet<string>, attached: ReadonlySet<string>): boolean {
  if (text.startsWith('--')) return valued.has(text)
  const letters = text.slice(1).split('')
  const first = letters.findIndex((letter) => valued.has(`-${letter}`) || attached.has(`-${letter}`))
  return valued.has(text) || (first !== -1 && first === letters.length - 1 && valued.has(`-${letters[first]}`))
}
