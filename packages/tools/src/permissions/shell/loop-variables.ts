import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'
import { commandWord } from './command-word.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'

/** Builtins that can set a variable. */
const SETTERS = new Set(
  'read mapfile readarray printf declare typeset local export readonly let getopts unset eval source . wait trap'.split(
    ' ',
  ),
)

/** Whether the variables of its loops hold what the loops give them, all the way: nothing else in the script sets any. */
export function canSubstitute(script: ParsedScript): boolean {
  const loops: string[] = []
  const assigned = new Set<string>()
  let can = true
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'For') loops.push(node.name.value)
    else if (node.type === 'Assignment') assigned.add(node.name)
    else if (setsAnything(node)) can = false
    if (can) forEachChild(node, visit)
  }
  visit(script)
  return can && new Set(loops).size === loops.length && !loops.some((name) => assigned.has(name))
}

/** Nodes that may set a variable whose name is not told. */
function setsAnything(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticBinary':
    case 'ArithmeticUnary':
    case 'ArithmeticWord':
    case 'Select':
    case 'Coproc':
    case 'FileDescriptorVariable':
      return true
    case 'Default':
      return node.operator.endsWith('=')
    case 'Command':
      return node.name !== undefined && (node.name.parts !== undefined || isSetter(node.name.value, node.args))
    default:
      return false
  }
}

/** Printf sets a variable only when it is told to. */
function isSetter(name: string, [first]: Command['args']): boolean {
  if (name !== 'printf' || first?.type !== 'Word') return SETTERS.has(name)
  return HARMLESS_PROGRAMS.printf?.([commandWord(first, new Map())]) === undefined
}
