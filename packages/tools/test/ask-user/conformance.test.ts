import { it } from 'vitest'
import { askUser } from '../../src/index.js'
import { expectConforms } from '../todos/conforms.js'

it('conforms', async () => {
  const options = [{ label: 'Yes' }, { label: 'No' }]
  const questions = [{ header: 'End', question: 'Shall it end well?', options }]
  const ask = async () => [{ selected: ['Yes'] }]
  await expectConforms(askUser({ ask }), [{ name: 'AskUser', input: { questions } }])
})
