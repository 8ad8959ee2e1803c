import { expect, it, onTestFinished, vi } from 'vitest'
import { inTime } from '../../src/plugins/load-plugin.js'

it('waits for a plugin, but not for ever', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const late = (reason: string) => new Error(`It ${reason}.`)
  expect(await inTime(Promise.resolve('ready'), late)).toBe('ready')
  await expect(inTime(Promise.reject(new Error('broken')), late)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
  const hanging = inTime(new Promise(() => undefined), late)
  const failure = expect(hanging).rejects.toThrow('It is not ready after 30 seconds.')
  await vi.advanceTimersByTimeAsync(30_000)
  await failure
})
