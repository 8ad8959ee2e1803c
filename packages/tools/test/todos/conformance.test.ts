import { it } from 'vitest'
import { todos } from '../../src/index.js'
import { expectConforms } from './conforms.js'

it('conforms', async () => {
  const list = [{ content: 'a happy end', status: 'in_progress' }]
  await expectConforms(todos(), [{ name: 'Todo', input: { todos: list } }])
})
