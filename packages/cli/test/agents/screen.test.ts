import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gate } from '../screen/gate.js'
import { idle } from '../screen/idle.js'
import { lastWords } from '../screen/last-words.js'
import { setUp } from '../screen/set-up.js'

const ENV = { NACRE_FLAGS: 'session-memory=off,dream=off' }
const ESCAPE = '\u001b'

it('shows agents at work, lists, opens and stops them, sends @name, and goes on by itself with what they left', async () => {
  const held = gate()
  const { start } = await setUp(async (turn) => {
    const words = lastWords(turn)
    if (turn.source === 'agent:scout') {
      if (words.includes('Look.')) await held.wait(turn.signal)
      return words.includes('north') ? 'I went north.' : [{ type: 'tool_use', name: 'Glob', input: { pattern: '*' } }]
    }
    if (turn.source !== 'main') return [{ type: 'tool_use', name: 'Glob', input: { pattern: '*' } }]
    if (words === 'Go.') {
      const input = { description: 'scouting ahead', prompt: 'Look.', name: 'scout', run_in_background: true }
      return [{ type: 'tool_use', name: 'Agent', input }]
    }
    const isNotice = JSON.stringify(turn.messages.at(-1)).includes('<agent-notice')
    return isNotice ? 'The scout is back.' : 'Noted.'
  })
  const terminal = start([], { rows: 40, env: ENV })
  terminal.type('Go.\r')
  await terminal.see('Noted.')
  await terminal.see('◇ scout  scouting ahead')
  terminal.type('/agents\r')
  await terminal.see(/scout +running +\d+ min \d+ s/)
  await terminal.see('scout: scouting ahead (general)')
  await idle(terminal)
  terminal.type('@scout Try the north.\r')
  await terminal.see('Delivered to scout, which reads it at its next tool round.')
  held.open()
  await terminal.see('◇ Agent scout has finished, 13 characters. /agents read scout shows it.')
  await terminal.see('The scout is back.')
  await idle(terminal)
  terminal.type('/agents open scout\r')
  await terminal.see(/model: I went north\./)
  await idle(terminal)
  terminal.type('/agents read scout\r')
  await terminal.see(/❯ \/agents read scout\s+I went north\./)
  await idle(terminal)
  terminal.type('/agents stop scout\r')
  await terminal.see('There is nothing to stop: scout has finished.')
  await idle(terminal)
  terminal.type('/cost\r')
  await terminal.see(/agent:scout/)
})

it('asks with the name of the agent; Esc says no to it and stops nothing else', async () => {
  const { start } = await setUp((turn) => {
    const words = JSON.stringify(turn.messages.at(-1))
    if (turn.source === 'agent:digger') {
      return words.includes('Dig.')
        ? [{ type: 'tool_use', name: 'Bash', input: { command: 'npm publish' } }]
        : 'I could not dig.'
    }
    if (!words.includes('Go.')) return `Result: ${words.includes('could not dig') ? 'nothing dug' : 'unknown'}`
    return [{ type: 'tool_use', name: 'Agent', input: { description: 'digging', prompt: 'Dig.', name: 'digger' } }]
  })
  const terminal = start([], { rows: 40, env: ENV })
  terminal.type('Go.\r')
  await terminal.see('Agent digger asks: May it run? $ npm publish')
  expect(terminal.screen()).toContain('Enter confirms, Esc says no')
  expect(terminal.screen()).not.toContain('Esc says no and interrupts')
  terminal.type(ESCAPE)
  await terminal.see('Result: nothing dug')
  expect(terminal.text()).not.toContain('Interrupted')
})

it('asks whether a folder is trusted before its agents are known', async () => {
  const { start, place } = await setUp((turn) => {
    const tools = JSON.stringify(turn.tools)
    return tools.includes('Reads with care.') ? 'I know the reader.' : 'I know no reader.'
  })
  await mkdir(join(place.cwd, '.claude', 'agents'), { recursive: true })
  const text = '---\nname: reader\ndescription: Reads with care.\n---\nYou read.\n'
  await writeFile(join(place.cwd, '.claude', 'agents', 'reader.md'), text)
  const terminal = start([], { rows: 40, env: ENV })
  await terminal.see('defines an agent: reader')
  terminal.type('n')
  await idle(terminal)
  terminal.type('Who?\r')
  await terminal.see('I know no reader.')
  const again = start([], { rows: 40, env: ENV })
  await again.see('defines an agent: reader')
  again.type('y')
  await idle(again)
  again.type('Who?\r')
  await again.see('I know the reader.')
})
