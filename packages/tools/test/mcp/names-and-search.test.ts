import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcpToolName, rankTools } from '../../src/index.js'

const SEED = 7

describe('the name of a tool', () => {
  it('is that of the server and that of the tool where the API takes them', () => {
    expect(mcpToolName('github', 'create_issue')).toBe('mcp__github__create_issue')
    expect(mcpToolName('My Server', 'créate')).toMatch(/^mcp__My_Server__cr_ate_[0-9a-f]{8}$/)
  })

  it('can not be taken by a tool that has the hash in its own name', () => {
    const name = mcpToolName('a.b', 'go')
    expect(mcpToolName('a_b', name.slice('mcp__a_b__'.length))).not.toBe(name)
  })

  it('fits the API and belongs to one tool of one server', () => {
    const part = fc.oneof(
      fc.string({ minLength: 1, maxLength: 90 }),
      fc.stringMatching(/^[a-b_]{1,6}$/),
      fc.stringMatching(/^[a-b_. ]{1,6}$/),
    )
    fc.assert(
      fc.property(part, part, part, part, (server, tool, otherServer, otherTool) => {
        const [name, other] = [mcpToolName(server, tool), mcpToolName(otherServer, otherTool)]
        expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(name === other).toBe(server === otherServer && tool === otherTool)
      }),
      { seed: SEED, numRuns: 2_000 },
    )
  })
})

describe('a search for tools', () => {
  const tools = [
    { name: 'mcp__github__create_issue', description: 'Opens an issue in a repository.' },
    { name: 'mcp__github__list_issues', description: 'Lists the issues of a repository.' },
    { name: 'mcp__mail__send', description: 'Sends a message, for instance about an issue.' },
    { name: 'mcp__calendar__createEvent', description: 'Puts something into a calendar.' },
  ]
  const found = (query: string, most = 5) => rankTools(tools, query, most).map(({ name }) => name)

  it('takes words of the name before those of the description', () => {
    expect(found('issue')).toEqual(['mcp__github__create_issue', 'mcp__github__list_issues', 'mcp__mail__send'])
    expect(found('create')).toEqual(['mcp__calendar__createEvent', 'mcp__github__create_issue'])
    expect(found('issue', 1)).toEqual(['mcp__github__create_issue'])
    expect(found('weather')).toEqual([])
  })

  it('takes only what has a word with a plus', () => {
    expect(found('+mail issue')).toEqual(['mcp__mail__send'])
    expect(found('+mail +github')).toEqual([])
  })

  it('selects by name', () => {
    expect(found('select:mcp__mail__send, mcp__github__list_issues')).toEqual([
      'mcp__github__list_issues',
      'mcp__mail__send',
    ])
    expect(found('select:nothing')).toEqual([])
  })

  it('gives the same answer whatever the order of the tools', () => {
    const words = fc.array(fc.constantFrom('issue', 'create', '+send', 'calendar', 'repo', 'x'), { maxLength: 4 })
    fc.assert(
      fc.property(fc.shuffledSubarray(tools, { minLength: 4 }), words, (shuffled, query) => {
        expect(rankTools(shuffled, query.join(' '), 3)).toEqual(rankTools(tools, query.join(' '), 3))
      }),
      { seed: SEED },
    )
  })
})
