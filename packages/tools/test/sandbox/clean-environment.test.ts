import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanEnvironment } from '../../src/sandbox/clean-environment.js'
import { made, NO_SECRET, POINTERS, SECRET_BY_FORM, SECRET_BY_NAME, type Variable } from './environment-corpus.js'

/** Those of the variables, each in an environment of its own, that are still there. */
async function stay(variables: readonly Variable[]): Promise<Variable[]> {
  const cleaned = await Promise.all(variables.map(([name, value]) => cleanEnvironment({ [name]: value })))
  return variables.filter(([name, value], at) => cleaned[at]?.[name] === value)
}

describe('the environment of a caged command', () => {
  it('has no secret that is known by its name', async () => {
    expect(await stay(SECRET_BY_NAME)).toEqual([])
  })

  it('has nothing that leads to an agent or a socket outside', async () => {
    expect(await stay(POINTERS)).toEqual([])
  })

  it('has no secret that is known by its form', async () => {
    expect(await stay(SECRET_BY_FORM)).toEqual([])
  })

  it('keeps what only looks like a secret and what a build needs', async () => {
    const kept = new Set(await stay(NO_SECRET))
    expect(NO_SECRET.filter((variable) => !kept.has(variable))).toEqual([])
  })

  it('has no secret that is planted under a name of any writing, whatever it holds', async () => {
    const word = fc.constantFrom('token', 'secret', 'password', 'passwd', 'passphrase', 'credentials', 'cookie')
    const keys = fc.constantFrom(
      'api key',
      'access key',
      'private key',
      'master key',
      'client secret',
      'auth token',
      'key',
    )
    const before = fc.constantFrom('', 'my', 'app', 'tf var', 'prod', 'npm config', 'x1')
    const writing = fc.constantFrom(
      (words: string[]) => words.join('_').toUpperCase(),
      (words: string[]) => words.join('_'),
      (words: string[]) => words.join('-'),
      (words: string[]) => words.map((part, at) => (at === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join(''),
    )
    const name = fc
      .tuple(before, fc.oneof(word, keys), writing)
      .map(([start, end, write]) => write(`${start} ${end}`.trim().split(' ')))
    await fc.assert(
      fc.asyncProperty(name, fc.string({ maxLength: 60 }), async (planted, value) => {
        expect(await cleanEnvironment({ [planted]: value, PATH: '/bin' })).toEqual({ PATH: '/bin' })
      }),
      { numRuns: 300 },
    )
  })

  it('has no token that is planted in other text, under a name that says nothing', async () => {
    const letters = (length: number) =>
      fc.array(fc.constantFrom(...made(500, 70)), { minLength: length, maxLength: length }).map((all) => all.join(''))
    const token = fc.oneof(
      letters(36).map((rest) => `ghp_${rest}`),
      letters(36).map((rest) => `npm_${rest}`),
      letters(93).map((rest) => `sk-ant-api03-${rest}AA`),
      letters(20).map((rest) => `glpat-${rest}`),
      letters(35).map((rest) => `AIza${rest}`),
      letters(30).map((rest) => `Bearer ${rest}`),
      letters(12).map((rest) => `https://ada:${rest}@example.com/x`),
      letters(12).map((rest) => `{"password": "${rest}"}`),
      letters(12).map((rest) => `--api-key=${rest}`),
      letters(200).map((rest) => `-----BEGIN EC PRIVATE KEY-----\n${rest}`),
    )
    const around = fc.constantFrom('', ' ', 'x ', '--flag ', '"', "'", '\n', '/a/b ', '; ')
    await fc.assert(
      fc.asyncProperty(around, token, around, async (before, planted, after) => {
        expect(await cleanEnvironment({ SOMETHING: `${before}${planted}${after}` })).toEqual({})
      }),
      { numRuns: 300 },
    )
  })

  it('has next to none of the long random texts whose names say nothing, and all numbers of commits', async () => {
    const seeds = Array.from({ length: 1_000 }, (_, seed) => seed)
    const random = await stay(seeds.map((seed) => ['ANYTHING', made(32, seed)]))
    expect(random.length).toBeLessThan(10)
    const commits = await stay(seeds.map((seed) => ['ANYTHING', made(40, seed, '0123456789abcdef')]))
    expect(commits).toHaveLength(1_000)
  })

  it('has no copy of a secret in another variable', async () => {
    const env = { API_KEY: 'hunter2hunter2', OTHER: 'x hunter2hunter2 y', PLAIN: 'hunter' }
    expect(await cleanEnvironment(env)).toEqual({ PLAIN: 'hunter' })
  })

  it('leaves what is not set away', async () => {
    expect(await cleanEnvironment({ A: undefined, B: '' })).toEqual({ B: '' })
  })

  it('keeps the numbered settings of git whole when one of them goes', async () => {
    const env = {
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'Ada',
      GIT_CONFIG_KEY_1: 'http.https://github.com/.extraheader',
      GIT_CONFIG_VALUE_1: 'x: y',
      GIT_CONFIG_KEY_2: 'core.pager',
      GIT_CONFIG_VALUE_2: '',
    }
    expect(await cleanEnvironment(env)).toEqual({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'Ada',
      GIT_CONFIG_KEY_1: 'core.pager',
      GIT_CONFIG_VALUE_1: '',
    })
  })
})
