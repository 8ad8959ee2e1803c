import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { gate } from '../screen/gate.js'
import { ended, program } from '../support/program.js'
import { stage } from './support.js'

const PROMPT = 'I always review pull requests in the morning. Is that fine?'

/** A model whose extraction waits until a test has seen the answer. */
async function heldStage() {
  const held = gate()
  const asked: string[] = []
  const on = await stage(async ({ source, signal }) => {
    asked.push(source)
    if (source !== 'extract_memories') return 'It is fine.'
    await held.wait(signal)
    return 'Nothing to keep.'
  })
  return { ...on, held, asked }
}

describe('the answer', () => {
  it.each([
    ['text', 'It is fine.\n'],
    ['json', '"result":"It is fine."'],
    ['stream-json', '"type":"result"'],
  ])('is printed before what is learnt from it is waited for: %s', async (format, wanted) => {
    const { place, held, asked, simulator } = await heldStage()
    const child = program.start(['-p', PROMPT, '--output-format', format], place)
    const over = ended(child)
    child.stdin?.end()
    let seen = ''
    while (!seen.includes(wanted)) seen += String((await once(child.stdout ?? child, 'data'))[0])
    expect(child.exitCode).toBeNull()
    held.open()
    const { code, stdout, stderr } = await over
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(asked).toEqual(['main', 'extract_memories'])
    const { requests, dollars } = simulator.ledger.totals()
    expect(requests).toBe(2)
    if (format !== 'stream-json') return
    const end = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(end).toMatchObject({ type: 'end', usage: { requests: 2 } })
    expect(end.usage.dollars).toBeCloseTo(dollars, 10)
  })

  it('is all there is where memory is off', async () => {
    const { place, asked } = await heldStage()
    const ran = await program.run(['-p', PROMPT, '--flags', 'dream=off'], place)
    expect(ran).toEqual({ code: 0, stdout: 'It is fine.\n', stderr: '' })
    expect(asked).toEqual(['main'])
  })

  it('has what extraction cost in the dollars of the session, from the next run on', async () => {
    const { place, held, simulator } = await heldStage()
    held.open()
    await program.run(['-p', PROMPT], place)
    const args = ['-p', 'Well?', '--continue', '--output-format', 'json']
    const { stdout } = await program.run(args, place)
    const { dollars, requests } = simulator.ledger.totals()
    expect(requests).toBe(3)
    expect(JSON.parse(stdout).sessionDollars).toBeCloseTo(dollars, 10)
  })
})
