import { describe, expect, it } from 'vitest'
import { stage } from '../headless/support.js'
import { gate } from '../screen/gate.js'
import { program } from '../support/program.js'

const FLAGS = ['--flags', 'dream=off,session-memory=off']

const start = (name: string) => ({
  type: 'tool_use' as const,
  name: 'Agent',
  input: { description: 'a look', prompt: `Look, ${name}.`, name, run_in_background: true },
})

/** Starts two agents in the background, and reads what each leaves. */
async function fanOut(isHeld: boolean) {
  const held = gate()
  return stage(async ({ source, messages, signal }) => {
    if (source.startsWith('agent:')) {
      if (isHeld) await held.wait(signal)
      return `${source} has looked.`
    }
    const said = JSON.stringify(messages.at(-1))
    const names = [...said.matchAll(/<agent-notice agent=\\"(\w+)\\"/g)].map(([, name]) => name)
    if (names.length > 0) {
      return names.map((name) => ({ type: 'tool_use' as const, name: 'Agents', input: { action: 'read', name } }))
    }
    if (said.includes('Go.')) return [start('one'), start('two')]
    const all = JSON.stringify(messages)
    return `Heard so far:${['one', 'two'].filter((name) => all.includes(`agent:${name} has looked.`)).join(',')}`
  })
}

describe('nacre -p', () => {
  it('waits for agents in the background, and its answer has what they left', async () => {
    const { place, simulator } = await fanOut(false)
    const ran = await program.run(['-p', 'Go.', '--output-format', 'json', ...FLAGS], place)
    const result = JSON.parse(ran.stdout)
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(result).toMatchObject({ end: 'done', result: 'Heard so far:one,two' })
    expect(result.usage.requests).toBe(simulator.ledger.totals().requests)
    expect(result.usage.dollars).toBeCloseTo(simulator.ledger.totals().dollars, 10)
  })

  it('says who was left when the time is over, and a resume knows of them', async () => {
    const { place } = await fanOut(true)
    const ran = await program.run(['-p', 'Go.', '--agents-wait', '0.2', '--session-id', 'held', ...FLAGS], place)
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('Still at work after 0.2 s, and stopped: one (a look), two (a look).')
    expect(ran.stderr).toContain('nacre -p --resume held')
    const again = await program.run(['-p', 'And?', '--resume', 'held', '--agents-wait', '0', ...FLAGS], place)
    expect(again.stderr).toBe('')
    expect(again.code).toBe(0)
  })

  it('has one budget for all of them', async () => {
    const { place, simulator } = await stage(({ source, messages }) => {
      if (source !== 'main') return ['word '.repeat(3_000), { type: 'tool_use', name: 'Glob', input: { pattern: '*' } }]
      return messages.length > 1
        ? 'ok'
        : [{ ...start('one'), input: { ...start('one').input, run_in_background: false } }]
    })
    const ran = await program.run(['-p', 'Go.', '--max-budget', '0.3', '--output-format', 'json', ...FLAGS], place)
    expect(JSON.parse(ran.stdout)).toMatchObject({ end: 'budget', exitCode: 3 })
    expect(simulator.ledger.totals().dollars).toBeLessThan(0.6)
  })
})
