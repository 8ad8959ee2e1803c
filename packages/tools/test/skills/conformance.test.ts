import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { skills } from '../../src/index.js'
import { expectConforms } from '../todos/conforms.js'

it('conforms', async () => {
  const folder = fileURLToPath(new URL('example-skills', import.meta.url))
  const calls = [{ name: 'Skill', input: { name: 'happy-end', args: 'the story' } }]
  await expectConforms(skills({ folders: [folder] }), calls)
})
