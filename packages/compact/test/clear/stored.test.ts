import { definePlugin } from '@nacre/core'
import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { resultsIn, workSession } from './work-session.js'

/** Puts long results away as a storage layer does, and shows a preview that says where they are. */
const storing = (where: string) =>
  definePlugin({
    name: 'storing',
    setup: () => ({
      hooks: {
        PostToolUse: {
          order: 'post',
          handler: ({ call, value }) => {
            const preview = `<persisted-output>\nToo long to be shown whole.\n${where.replace('CALL', call.id)}\n${'One line of it.\n'.repeat(60)}</persisted-output>`
            return { ...value, content: [{ type: 'text', text: preview }] }
          },
        },
      },
    }),
  })

it.each([
  ['The whole is in the file /home/user/my blobs/r-CALL.txt', 'the file /home/user/my blobs/r-toolu_0.txt.'],
  [
    'To see more: ReadResult with name "tool-results-s-CALL.txt", offset 3 and limit 9.',
    'ReadResult with name "tool-results-s-toolu_0.txt".',
  ],
  ['The whole is in the file /etc/CALL/shadow', 'Recall entry '],
  [`The whole is in the file /${'long '.repeat(400)}CALL.txt`, 'Recall entry '],
  ['To see more: Fetch with name "https://example.com/", offset 3 and limit 9.', 'Recall entry '],
])('names the place that a preview names, if it is of that call (case %#)', async (where, named) => {
  let time = 0
  const work = await workSession({
    calls: 7,
    result: () => 'long '.repeat(2_000),
    session: {
      plugins: [storing(where), compact()],
      details: { effects: { now: () => time, wait: () => undefined } },
    },
  })
  await work.run()
  time += 6 * 60_000
  await work.run('Go on.', 0)
  const [line = '', , kept = ''] = resultsIn(work.requests.at(-1)?.body ?? '')
  expect(line).toMatch(/^\[Cleared: /)
  expect(line).toContain(`Full text: ${named}`)
  expect(kept).toMatch(/^<persisted-output>/)
})
