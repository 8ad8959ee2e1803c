import { homedir } from 'node:os'
import type { Word, WordPart } from 'unbash'

/**
 * A word of a command, as far as it is known before anything runs.
 * `static`: the text is what the command gets. `glob`: the text is a pattern for names of files.
 * `listed`: names that another command hands over. `variable`: depends on plain variables. `unknown`: on anything.
 */
export interface CommandWord {
  readonly kind: 'static' | 'glob' | 'listed' | 'variable' | 'unknown'
  readonly text: string
  readonly source: string
}

/** Values of loop variables, by name. */
export type Known = ReadonlyMap<string, CommandWord>

/** A word with its quotes taken off and what is known put in. */
export function commandWord(word: Word, known: Known): CommandWord {
  const { parts, text: source, value } = word
  if (!parts) return withHome({ kind: 'static', text: value, source })
  let kind: CommandWord['kind'] = 'static'
  let text = ''
  for (const part of parts) {
    const piece = pieceOf(part, known)
    kind = vaguer(kind, piece.kind)
    text += piece.text
  }
  return withHome({ kind: PWD.test(source.replace(LEADING_PWD, '')) ? 'unknown' : kind, text, source })
}

/** The working folder is a dot only at the start of a path. */
const PWD = /\$\{?PWD\b/
const LEADING_PWD = /^"?\$\{?PWD\b/

type Piece = Pick<CommandWord, 'kind' | 'text'>

const ORDER = ['static', 'glob', 'listed', 'variable', 'unknown'] as const

function vaguer(a: CommandWord['kind'], b: CommandWord['kind']): CommandWord['kind'] {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b
}

function pieceOf(part: WordPart, known: Known, isQuoted = false): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { kind: 'static', text: part.value }
    case 'Glob':
      return { kind: 'glob', text: part.value }
    case 'DoubleQuoted': {
      const pieces = part.parts.map((child) => pieceOf(child, known, true))
      return {
        kind: pieces.reduce((kind, piece) => vaguer(kind, piece.kind), 'static' as Piece['kind']),
        text: pieces.map(({ text }) => text).join(''),
      }
    }
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, known, isQuoted)
    case 'ParameterExpansion':
      return part.prefix || part.index || part.operation
        ? { kind: 'unknown', text: part.text }
        : variable(part.parameter, part.text, known, isQuoted)
    case 'ProcessSubstitution':
      // What runs in it is a command of its own; the word itself names a pipe.
      return { kind: 'static', text: PIPE }
    default:
      return { kind: 'unknown', text: part.text }
  }
}

const PIPE = '/dev/fd/63'

function variable(name: string, text: string, known: Known, isQuoted: boolean): Piece {
  const value = known.get(name)
  // Without quotes a shell splits a value at its spaces and looks for the names of files in it.
  if (value)
    return isQuoted || value.kind !== 'static' || /^[\w./@:%+=,-]*$/.test(value.text)
      ? value
      : { kind: 'unknown', text }
  if (name === 'HOME') return { kind: 'static', text: homedir() }
  if (name === 'PWD') return { kind: 'static', text: '.' }
  return { kind: 'variable', text }
}

/** A tilde that no quote protects is a home: one's own, or somebody's that is not known here. */
function withHome(word: CommandWord): CommandWord {
  const { source, text } = word
  if (!source.startsWith('~')) return word
  if (source === '~' || source.startsWith('~/')) return { ...word, text: homedir() + text.slice(1) }
  return { ...word, kind: 'unknown' }
}
