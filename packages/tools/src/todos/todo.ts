import { z } from 'zod'

const status = z.enum(['pending', 'in_progress', 'completed'])

const todo = z.object({
  content: z.string().trim().min(1).max(500).describe('What is to be done, in a few words.'),
  status,
})

/** One item of the list. */
export type Todo = Readonly<z.output<typeof todo>>

/** The whole list. Work goes on one thing at a time, so no more than one item is in progress. */
export const todoList = z
  .array(todo)
  .max(100)
  .refine((items) => items.filter((item) => item.status === 'in_progress').length <= 1, {
    message: 'At most one item may be in_progress. Set the others to pending or completed.',
  })
