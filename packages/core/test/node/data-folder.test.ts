import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder } from '../../src/node/places.js'

it.each([
  ['linux', {}, ['home', '.local', 'share', 'nacre']],
  ['linux', { XDG_DATA_HOME: 'data' }, ['data', 'nacre']],
  ['linux', { XDG_DATA_HOME: '' }, ['home', '.local', 'share', 'nacre']],
  ['darwin', { XDG_DATA_HOME: 'data' }, ['home', 'Library', 'Application Support', 'nacre']],
  ['win32', {}, ['home', 'AppData', 'Local', 'nacre']],
  ['win32', { LOCALAPPDATA: 'local' }, ['local', 'nacre']],
  ['darwin', { NACRE_HOME: 'mine' }, ['mine']],
] as const)('follows the custom of %s with %j', (platform, env, parts) => {
  expect(dataFolder({ env, platform, home: 'home' })).toBe(join(...parts))
})
