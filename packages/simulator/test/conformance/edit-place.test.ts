import { describe, expect, it } from 'vitest'
import { editPlace, itemsOf } from '../../src/conformance/edit-place.js'
import type { ChangeLike, EntryLike } from '../../src/conformance/types.js'

const text = (words: string) => ({ type: 'text', text: words })
const call = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
const result = (words: string) => ({ type: 'tool_result', tool_use_id: 'c1', content: [text(words)] })

const log: EntryLike[] = [
  { id: 'p', kind: 'user', content: [text('first')] },
  { id: 'a', kind: 'assistant', content: [call] },
  { id: 'r', kind: 'user', content: [result('long')] },
]
const messages = [
  { role: 'user', content: [text('first')] },
  { role: 'assistant', content: [call] },
  { role: 'user', content: [{ ...result('long'), cache_control: { type: 'ephemeral' } }] },
]
const body = JSON.stringify({ model: 'm', system: 'You work.', tools: [{ name: 'look' }], messages })

/** Where changes may begin to show; fields, tool, system, then the messages. */
function placeOf(changes: readonly ChangeLike[], more: readonly EntryLike[] = []): number {
  const edit = { id: 'e', kind: 'edit', changes }
  const known = [...log, ...more]
  return editPlace(edit, { items: itemsOf({ body }), log: known, edits: known.filter(({ kind }) => kind === 'edit') })
}

describe('the place of an edit in a request', () => {
  it('is the block that is replaced, marks aside', () => {
    expect(placeOf([{ kind: 'replace', target: { entry: 'r', block: 0 }, content: [result('gone')] }])).toBe(5)
  })

  it('is where a span begins, or what an earlier fold has put there', () => {
    expect(placeOf([{ kind: 'fold', span: { from: 'p', to: 'r' }, content: [text('all')] }])).toBe(3)
    const span = { from: 'hidden', to: 'r' }
    const folded = { id: 'f', kind: 'edit', changes: [{ kind: 'fold', span, content: [text('first')] }] }
    const hidden = { id: 'hidden', kind: 'user', content: [text('unseen')] }
    expect(placeOf([{ kind: 'drop', span, note: 'gone' }], [hidden, folded])).toBe(3)
    expect(placeOf([{ kind: 'revert', edit: 'f' }], [hidden, folded])).toBe(3)
  })

  it('is nowhere for a note of the open turn and for what was not sent yet', () => {
    expect(placeOf([{ kind: 'insert', note: { text: 'note' } }])).toBe(Number.POSITIVE_INFINITY)
    expect(placeOf([{ kind: 'replace', target: { entry: 'later', block: 0 }, content: [] }])).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  it('is the result that a note stands inside of, and behind the fields where system and tools are made anew', () => {
    expect(placeOf([{ kind: 'insert', note: { text: 'note', inside: { entry: 'r', block: 0 } } }])).toBe(5)
    expect(placeOf([{ kind: 'drop', span: { from: 'a', to: 'r' }, epoch: {} }])).toBe(1)
  })
})
