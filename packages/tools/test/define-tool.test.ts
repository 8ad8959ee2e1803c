import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, textOf } from '../src/index.js'
import { toolContext } from './support/tool-context.js'

const greet = defineTool({
  name: 'Greet',
  description: 'Greets a person.',
  input: z.object({ name: z.string().describe('Whom to greet.'), times: z.number().int().default(1) }),
  traits: { isReadOnly: ({ times }) => times === 1 },
  title: ({ name }) => `Greet ${name}`,
  run: ({ name, times }) => `Hello ${name}. `.repeat(times),
})

it('runs without an agent', async () => {
  const result = await greet.run(greet.schema.parse({ name: 'Ada' }), toolContext('.'))
  expect(textOf(result)).toBe('Hello Ada. ')
})

it('describes to the model what may be left out', () => {
  expect(greet.schema.json).toMatchObject({ type: 'object', required: ['name'] })
})

it('says which part of an input does not fit', () => {
  expect(() => greet.schema.parse({ times: 1.5 })).toThrow(/name[\s\S]*times|times[\s\S]*name/)
})

it('takes read-only for safe beside others', () => {
  const once = greet.schema.parse({ name: 'Ada' })
  expect([greet.isReadOnly(once), greet.isConcurrencySafe(once)]).toEqual([true, true])
  expect(greet.isConcurrencySafe({ name: 'Ada', times: 2 })).toBe(false)
})
