import type { Awaitable, Json, Tool, ToolContext, ToolResult, Verdict } from '@nacre/core'
import { z } from 'zod'

/** A tool with words for the people who watch: usable with an agent or without one. */
export interface ShownTool<Input = unknown> extends Tool<Input> {
  /** One line: what a call does, such as `Read src/login.ts`. */
  title(input: Input): string
  /** What a person sees of a result: short, without what is meant for the model only. */
  show(input: Input, result: ToolResult): string
}

export interface ToolDefinition<Schema extends z.ZodType> {
  readonly name: string
  readonly description: string
  readonly input: Schema
  readonly traits?: ToolTraits<z.output<Schema>>
  check?(input: z.output<Schema>, context: ToolContext): Awaitable<Verdict<'deny' | 'ask' | 'allow'> | undefined>
  run(input: z.output<Schema>, context: ToolContext): Awaitable<ToolResult | string>
  title(input: z.output<Schema>): string
  show?(input: z.output<Schema>, result: ToolResult): string
}

export interface ToolTraits<Input> {
  /** No unless told. Read-only calls that mind no company may begin before the answer has ended. */
  readonly isReadOnly?: boolean | ((input: Input) => boolean)
  /** As `isReadOnly` unless told. */
  readonly isConcurrencySafe?: boolean | ((input: Input) => boolean)
  readonly isCompactable?: boolean
  readonly maxResultChars?: number
  /** Its results are what commands printed. */
  readonly isCommand?: boolean
  /** The file that a call reads, by its path. */
  reads?(input: Input): string | undefined
}

/** Makes a tool of a zod schema and a function. A text as result is a text block. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): ShownTool<z.output<Schema>> {
  type Input = z.output<Schema>
  const { name, description, input: schema, traits = {}, check, run, title, show = shownText } = definition
  const { isReadOnly = false, isConcurrencySafe = isReadOnly, ...rest } = traits
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return {
    name,
    description,
    schema: { json: json as Json, parse: (input) => parsed(schema, input) },
    ...rest,
    isReadOnly: (input) => holds<Input>(isReadOnly, input),
    isConcurrencySafe: (input) => holds<Input>(isConcurrencySafe, input),
    ...(check && { check }),
    async run(input, context) {
      const result = await run(input, context)
      return typeof result === 'string' ? textResult(result) : result
    },
    title,
    show: (input, result) => show(input, result),
  }
}

/** A result of one text. */
export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

/** A result that says what went wrong, and what to do. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The texts of a result, line by line. */
export function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n')
}

function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input)
  if (!success) throw new Error(z.prettifyError(error))
  return data
}

function holds<Input>(trait: boolean | ((input: Input) => boolean), input: Input): boolean {
  return typeof trait === 'function' ? trait(input) : trait
}

const SHOWN_LINES = 5

function shownText(_input: unknown, result: ToolResult): string {
  const lines = textOf(result).split('\n')
  const more = lines.length - SHOWN_LINES
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join('\n') : lines.join('\n')
}
