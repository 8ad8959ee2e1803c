import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeGroups } from '../../src/change/take.js'
import { createWorkspace, groupsOf, withGroups } from '../../src/change/workspace.js'
import { type Memory, writeMemory } from '../../src/memory/memory.js'
import { readMemories } from '../../src/memory/memory-set.js'
import type { Files } from '../../src/repository/types.js'
import { drawUp } from '../../src/rules/ledger.js'
import { given } from '../support/memories.js'

const isLong = process.env.NACRE_SOAK === '1'
const WORDS = ['apples', 'bridges', 'candles', 'deserts', 'engines', 'forests', '5433', 'Dana', 'port-8080', 'Friday']
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 4 })
  .chain((words) => fc.constantFrom(`The team likes ${words.join(' and ')}.`, `Never mix ${words.join(' with ')}.`))

const folder: fc.Arbitrary<readonly Memory[]> = fc
  .array(fc.record({ text: sentence, isPinned: fc.boolean(), day: fc.constantFrom('2026-10-01', '2026-11-01') }), {
    minLength: 2,
    maxLength: 8,
  })
  .map((items) =>
    items.map(({ text, isPinned, day }, index) =>
      given({ id: `m${index}`, text, isPinned: isPinned && index % 3 === 0, confirmed: day }),
    ),
  )

/** What a model may do, good or bad: also things that no command offers. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('retire' as const),
    which: fc.nat(7),
    into: fc.nat(9),
    how: fc.constantFrom('merged' as const, 'superseded' as const, 'archived' as const),
  }),
  fc.record({ do: fc.constant('reword' as const), which: fc.nat(7), text: sentence }),
  fc.record({ do: fc.constant('create' as const), id: fc.constantFrom('m0', 'n1', 'n2'), text: sentence }),
  fc.record({ do: fc.constant('delete' as const), which: fc.nat(7) }),
  fc.record({ do: fc.constant('copy' as const), which: fc.nat(7) }),
  fc.record({ do: fc.constant('rename' as const), which: fc.nat(7) }),
  fc.record({ do: fc.constant('forge' as const), which: fc.nat(7) }),
)

function draftOf(base: Files, steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const workspace = createWorkspace(base)
  const files = workspace.files() as Map<string, string>
  for (const each of steps) {
    const memory = 'which' in each ? workspace.memories().live.get(`m${each.which}`) : undefined
    if (each.do === 'create') workspace.put(given({ id: each.id, text: each.text }), 'new')
    if (!memory) continue
    if (each.do === 'retire') {
      workspace.retire(memory, {
        how: each.how,
        reason: 'so',
        on: '2026-11-18',
        ...(each.how !== 'archived' && { into: `m${each.into}` }),
      })
    }
    if (each.do === 'reword') workspace.put({ ...memory, body: each.text }, 'other words')
    if (each.do === 'delete') files.delete(memory.path)
    if (each.do === 'copy') workspace.put({ ...memory, path: `copy-${memory.path}` }, 'a copy')
    if (each.do === 'rename') workspace.rename(memory, `renamed-${memory.path}`, 'another name')
    if (each.do === 'forge') workspace.put({ ...memory, id: `x-${memory.id}` }, 'another id')
  }
  return workspace
}

it('gives every fact exactly one fate in whatever is taken, and deletes nothing', () => {
  let taken = 0
  fc.assert(
    fc.property(folder, fc.array(step, { minLength: 1, maxLength: 6 }), (memories, steps) => {
      const base: Files = new Map(memories.map((memory) => [memory.path, writeMemory(memory)]))
      const workspace = draftOf(base, steps)
      const judged = judgeGroups(base, groupsOf(workspace))
      const after = withGroups(base, judged.taken)
      const ledger = drawUp(base, after)
      if ('refused' in ledger) throw new Error(ledger.refused)
      taken += judged.taken.length
      const { live, archived } = readMemories(after)
      expect([...ledger.fates.keys()].sort()).toEqual(memories.map(({ id }) => id).sort())
      for (const { id, body, isPinned } of memories) {
        const places = [live.get(id), archived.get(id)].filter((place) => place !== undefined)
        expect(places).toHaveLength(1)
        const [place] = places
        if (place?.gone) expect(place.body).toBe(body)
        if (isPinned) expect(live.get(id)?.body).toBe(body)
        const into = place?.gone?.into
        if (into !== undefined) expect(live.has(into)).toBe(true)
      }
      const gone = memories.filter(({ id }) => archived.get(id)?.gone?.how === 'archived').length
      expect(gone).toBeLessThanOrEqual(memories.length / 5)
    }),
    { numRuns: isLong ? 2_000 : 120 },
  )
  expect(taken).toBeGreaterThan(15)
})

it.each([
  ['a fact that is missing', (files: Map<string, string>) => files.delete('a.md'), 'never deleted'],
  [
    'a fact that stands twice',
    (files: Map<string, string>) => files.set('z.md', files.get('a.md') as string),
    'which a.md has already',
  ],
  [
    'an archive that was touched',
    (files: Map<string, string>) => files.set('archive/old.md', `${files.get('archive/old.md')}more`),
    'only a person may change it',
  ],
  [
    'a file that is no memory',
    (files: Map<string, string>) => files.set('run.sh', 'rm -rf /'),
    'nothing else is written here',
  ],
  [
    'something from the archive',
    (files: Map<string, string>) =>
      files.set('old.md', writeMemory(given({ id: 'old', text: 'An old word on things.' }))),
    'only a person brings something back',
  ],
])('does not balance with %s', (_name, change, reason) => {
  const gone = { how: 'archived' as const, reason: 'old', on: '2026-01-01' }
  const base = new Map([
    ['a.md', writeMemory(given({ id: 'a', text: 'The owner of billing is Dana.' }))],
    [
      'archive/old.md',
      writeMemory({ ...given({ id: 'old', text: 'An old word on things.' }), path: 'archive/old.md', gone }),
    ],
  ])
  const after = new Map(base)
  change(after)
  expect(drawUp(base, after)).toMatchObject({ refused: expect.stringContaining(reason) })
})
