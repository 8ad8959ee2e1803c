import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { textPrompt } from '../../src/headless/read-prompts.js'

/** A prompt beside a pipe, and what is said meanwhile. */
function beside(prompt: string): { readonly stdin: PassThrough; readonly asked: Promise<unknown>; said(): string } {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const stdin = new PassThrough()
  const said: string[] = []
  const stderr = { write: (text: string) => said.push(text) }
  const asked = textPrompt({ stdin, stderr } as unknown as Parameters<typeof textPrompt>[0], prompt)
  return { stdin, asked, said: () => said.join('') }
}

it('is not kept waiting by a pipe that nobody writes to', async () => {
  const { asked, said } = beside('Hi')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await asked).toEqual([{ type: 'text', text: 'Hi' }])
  expect(said()).toContain('nothing came on stdin in 3 seconds')
})

it('waits for the end of a pipe that somebody has begun to write to', async () => {
  const { stdin, asked, said } = beside('Hi')
  stdin.write('first ')
  await vi.advanceTimersByTimeAsync(10_000)
  stdin.end('second')
  expect(await asked).toEqual([
    { type: 'text', text: '<stdin>\nfirst second\n</stdin>' },
    { type: 'text', text: 'Hi' },
  ])
  expect(said()).toBe('')
})
