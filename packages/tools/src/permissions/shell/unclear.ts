import type { SyntaxNode } from 'unbash'

/**
 * Letters that are not what they look like: controls, carriage returns, marks that show nothing, spaces that are none to a
 * shell, turns of direction.
 */
const MISLEADING = /(?![\t\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What makes a text impossible to judge before it is even parsed. */
export function unclearText(text: string): string[] {
  const [letter] = MISLEADING.exec(text) ?? []
  if (letter === undefined) return []
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return [`it holds U+${code}, which people can't see or a shell reads otherwise than they do`]
}

/** What makes a node impossible to judge by the simple commands in it. */
export function unclearNode(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Script':
      return node.errors?.[0] && `it can't be parsed (${node.errors[0].message})`
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script ? undefined : "it holds a substitution that can't be parsed"
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index || isRisky(node.operation?.type)
        ? `what ${node.text} stands for may run commands`
        : undefined
    case 'ArithmeticWord':
      return /^(\d+|0x[\da-f]+|\d+#\w+)?$/i.test(node.value) ? undefined : 'arithmetic with variables may run commands'
    case 'TestUnary':
      return node.operator === '-v' || node.operator === '-R' ? 'a test for a variable may run commands' : undefined
    case 'TestBinary':
      return ARITHMETIC_TESTS.has(node.operator) && !(isNumber(node.left.value) && isNumber(node.right.value))
        ? 'a comparison of numbers that are not plain may run commands'
        : undefined
    case 'Assignment':
      return node.index ? 'an assignment to a place in an array may run commands' : undefined
    case 'For':
    case 'Select':
      return isPlainName(node.name.value) ? undefined : `what ${node.name.value} is set to may change what runs`
    case 'FileDescriptorVariable':
      return 'it sets a variable to the number of a file'
    case 'Function':
      return FUNCTION
    case 'Coproc':
      return 'it keeps a command running beside it'
    default:
      return undefined
  }
}

const FUNCTION = 'it defines a function, and what its name stands for then is not known'
const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

function isRisky(operation: string | undefined): boolean {
  return operation === 'Transform' || operation === 'Unknown' || operation === 'Slice'
}

/** Programs and the shell itself obey variables with large letters, and a few others. */
function isPlainName(name: string): boolean {
  return /^([a-z]\w*|_|[A-Z]\d?|FILE|DIR|NAME|LINE|ITEM)$/.test(name) && !/^npm_|_proxy$/i.test(name)
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text)
}
