import { z } from 'zod'
import { settingsSchema } from './settings-schema.js'

/** The part of JSON Schema that describes settings. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/** The schema of settings files for editors. */
export function settingsJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' }) as JsonSchema
  return { ...schema, ...TITLE }
}

const TITLE = {
  title: 'Settings of nacre',
  description: 'Settings of nacre: ~/.nacre/settings.json, .nacre/settings.json',
}
