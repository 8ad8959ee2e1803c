import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'

/** Builtins that can set a variable. */
const SETTERS = new Set(
  'read mapfile readarray printf declare typeset local export readonly let getopts unset eval source . wait trap'.split(
    ' ',
  ),
)

/** Whether the variables of its loops hold what the loops give them, all the way: nothing else in the script sets any. */
export function canSubstitute(script: ParsedScript): boolean {
  const names = new Set<string>()
  let can = true
  const visit = (node: SyntaxNode): void => {
    if (!can || sets(node, names)) {
      can = false
      return
    }
    forEachChild(node, visit)
  }
  visit(script)
  return can
}

function sets(node: SyntaxNode, names: Set<string>): boolean {
  switch (node.type) {
    case 'For': {
      const isSecond = names.has(node.name.value)
      names.add(node.name.value)
      return isSecond
    }
    case 'Assignment':
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
      return node.name !== undefined && (node.name.parts !== undefined || SETTERS.has(node.name.value))
    default:
      return false
  }
}
