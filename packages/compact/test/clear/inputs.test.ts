import { expect, it } from 'vitest'
import { workSession } from './work-session.js'

interface Sent {
  readonly messages: readonly { readonly content: readonly { readonly type: string; readonly input?: unknown }[] }[]
}

function inputsIn(body: string): unknown[] {
  return (JSON.parse(body) as Sent).messages.flatMap(({ content }) =>
    content.flatMap(({ type, input }) => (type === 'tool_use' ? [input] : [])),
  )
}

it('shortens long inputs of old calls to their beginnings, and leaves the rest of them as it was', async () => {
  let time = 0
  const content = (number: number) => `export const part${number} = 1\n${'// and so on\n'.repeat(400)}`
  const work = await workSession({
    calls: 8,
    name: () => 'Write',
    input: (number) => ({ file_path: `src/part-${number}.ts`, content: content(number), options: { mode: [1, 'w'] } }),
    result: () => 'Written.',
    session: { details: { effects: { now: () => time, wait: () => undefined } } },
  })
  await work.run()
  time += 61 * 60_000
  await work.run('Go on.', 0)
  const inputs = inputsIn(work.requests.at(-1)?.body ?? '')
  for (const [number, input] of inputs.entries()) {
    const asked = { file_path: `src/part-${number}.ts`, options: { mode: [1, 'w'] } }
    if (number >= 3) expect(input).toEqual({ ...asked, content: content(number) })
    else {
      const beginning = expect.stringMatching(
        /^export const part\d = 1\n[\s\S]{50,300}\[… \d+ more characters .*Recall entry/,
      )
      expect(input).toEqual({ ...asked, content: beginning })
    }
  }
})
