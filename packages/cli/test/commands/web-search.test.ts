import { expect, it } from 'vitest'
import { stage } from '../session/stage.js'
import { nacre } from './run-command.js'

const found = async (settings: object, env: Readonly<Record<string, string>> = {}) => {
  const on = await stage(env)
  await on.write('~/.nacre/settings.json', settings)
  return /^(\w+) +web search: (.*)$/m.exec((await nacre(on, 'doctor')).out)?.slice(1)
}

it('says who searches the web, or why nobody does', async () => {
  expect(await found({})).toEqual([
    'ok',
    'none. Nobody can be asked about a search of the server: allow it by the rule WebSearch. There is no other search engine either: set webSearch.provider.',
  ])
  expect(await found({ permissions: { allow: ['WebSearch'] } })).toEqual([
    'ok',
    'the server of claude-opus-5-5 searches',
  ])
  const searxng = { webSearch: { provider: 'searxng', endpoint: 'http://localhost:8888' } }
  expect(await found(searxng)).toEqual(['ok', 'searxng searches'])
  const brave = { webSearch: { provider: 'brave', keyVariable: 'BRAVE_KEY', server: false } }
  expect(await found(brave, { BRAVE_KEY: 'k' })).toEqual(['ok', 'brave searches'])
  expect(await found(brave)).toEqual(['failed', expect.stringContaining('Brave wants a key')])
})

it('counts what a folder says of searches only once it is trusted', async () => {
  const on = await stage()
  await on.write('.nacre/settings.json', { webSearch: { provider: 'searxng', endpoint: 'http://10.0.0.1' } })
  expect((await nacre(on, 'doctor')).out).toMatch(/web search: none/)
  expect((await nacre(on, 'trust', '--show')).out).toContain('sets who searches the web')
})
