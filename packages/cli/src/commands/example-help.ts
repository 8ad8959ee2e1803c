/** Examples for the end of a command's help. */
export function exampleHelp(...examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`
}
