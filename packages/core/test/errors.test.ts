import { expect, it } from 'vitest'
import { NacreError } from '../src/errors.js'
import { createSession } from '../src/session/create-session.js'
import { scriptedModel } from '../src/testing/scripted-model.js'
import { eventsOf } from './session/setup.js'

it('keeps the error of an end event, with its code and the chain of its causes, in JSON', async () => {
  const disk = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const cause = new TypeError('could not be written', { cause: disk })
  const error = new NacreError('AUTH', 'The key is refused.', { cause, plugin: 'keys' })
  const session = await createSession({ model: scriptedModel([error]) })
  const end = (await eventsOf(session.query('Go.'))).at(-1)
  expect(JSON.parse(JSON.stringify(end))).toEqual({
    type: 'end',
    reason: 'error',
    error: {
      name: 'NacreError',
      code: 'AUTH',
      message: 'The key is refused.',
      details: { plugin: 'keys' },
      cause: {
        name: 'TypeError',
        message: 'could not be written',
        cause: { name: 'Error', code: 'ENOSPC', message: 'no space left' },
      },
    },
  })
  await session.close()
})

it('writes a cause that leads back to itself, and one that is no error', () => {
  const own = new Error('in a circle')
  own.cause = own
  expect(JSON.stringify(new NacreError('SERVER', 'broke', { cause: own })).length).toBeLessThan(1_000)
  expect(JSON.parse(JSON.stringify(new NacreError('SERVER', 'broke', { cause: 'words' })))).toMatchObject({
    cause: 'words',
  })
})
