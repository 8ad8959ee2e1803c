import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSession, type PluginList, type Tool } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { describe, expect, it } from 'vitest'
import { permissions, planMode } from '../../src/index.js'
import { gatherServers } from '../../src/mcp/gather-servers.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** All of them count as true in a condition, and none of them is a yes. */
const ODD: Readonly<Record<string, () => unknown>> = {
  'a promise of false': async () => false,
  'a promise of true': async () => true,
  "'no'": () => 'no',
  "'true'": () => 'true',
  '1': () => 1,
  '{}': () => ({}),
  '[]': () => [],
  'a function': () => () => false,
}

async function runsOf(plugins: PluginList, isReadOnly: () => unknown, before: readonly string[] = []): Promise<number> {
  let runs = 0
  const tool: Tool = {
    name: 'Touch',
    description: 'Touches.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    isReadOnly: isReadOnly as () => boolean,
    isConcurrencySafe: () => false,
    run: () => {
      runs += 1
      return { content: [{ type: 'text', text: 'touched' }] }
    },
  }
  const calls = [...before, 'Touch'].map((name) => [{ type: 'tool_use', name, input: {} }])
  const session = await createSession({ model: scriptedModel([...calls, 'Done.']), plugins, tools: [tool] })
  for await (const _ of session.query('Touch it.'));
  await session.close()
  return runs
}

describe.each(Object.entries(ODD))('a tool that says %s about whether it only reads', (_name, answer) => {
  it('is asked about', async () => {
    expect(await runsOf([permissions()], answer)).toBe(0)
  })

  it('does not run where only reading is allowed', async () => {
    expect(await runsOf([permissions({ mode: 'plan' })], answer)).toBe(0)
    expect(await runsOf([planMode()], answer, ['EnterPlanMode'])).toBe(0)
  })

  it('is no approval of a server that a project brings', async () => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { stranger: { command: 'stranger' } } }))
    const options = { files: { user: false as const }, approve: answer as () => boolean }
    const { servers, unapproved } = await gatherServers(options, cwd)
    // What was promised is waited for here.
    const isYes = (await answer()) === true
    expect([servers, unapproved].map(({ length }) => length)).toEqual(isYes ? [1, 0] : [0, 1])
  })
})

it('runs a tool that says true', async () => {
  const yes = () => true
  expect(await runsOf([permissions()], yes)).toBe(1)
  expect(await runsOf([permissions({ mode: 'plan' })], yes)).toBe(1)
  expect(await runsOf([planMode()], yes, ['EnterPlanMode'])).toBe(1)
})
