import type { Json, Tool, ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'

interface Definition<Schema extends z.ZodType> {
  readonly name: string
  readonly description: string
  readonly input: Schema
  isReadOnly?(input: z.output<Schema>): boolean
  run(input: z.output<Schema>, context: ToolContext): Promise<string>
  /** One line for people who watch. */
  title(input: z.output<Schema>): string
}

/** Makes a tool of a schema and a function. What it throws is the model's to read. All of them mind no company. */
export function defineTool<Schema extends z.ZodType>(definition: Definition<Schema>): Tool<z.output<Schema>> {
  const { name, description, input: schema, isReadOnly = () => false, run, title } = definition
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  const tool = {
    name,
    description,
    schema: { json: json as Json, parse: (input: unknown) => parsed(schema, input) },
    isReadOnly,
    isConcurrencySafe: () => true,
    run: async (input: z.output<Schema>, context: ToolContext): Promise<ToolResult> => ({
      content: [{ type: 'text', text: await run(input, context) }],
    }),
    // Programs that show calls to people look for it.
    title,
  }
  return tool
}

function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input)
  if (!success) throw new Error(z.prettifyError(error))
  return data
}
