import type { Block, Tool } from '@nacre/core'

export interface GivingOptions {
  readonly name?: string
  readonly maxResultChars?: number
  readonly isAlone?: boolean
}

/** A tool that nobody of us made: gives what a function says for its input. */
export function givingTool(
  give: (input: { readonly [key: string]: unknown }) => string | readonly Block[] | Promise<string>,
  { name = 'give', maxResultChars, isAlone = false }: GivingOptions = {},
): Tool {
  return {
    name,
    description: 'Gives a text.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    ...(maxResultChars !== undefined && { maxResultChars }),
    isReadOnly: () => !isAlone,
    isConcurrencySafe: () => !isAlone,
    async run(input) {
      const given = await give(Object(input))
      return { content: typeof given === 'string' ? [{ type: 'text', text: given }] : given }
    },
  }
}

/** A call of it. */
export function callOf(input: object = {}, name = 'give') {
  return { type: 'tool_use' as const, name, input: input as never }
}
