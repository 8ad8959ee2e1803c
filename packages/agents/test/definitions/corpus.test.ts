import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findAgentTypes } from '../../src/definitions/definitions.js'
import { temporaryFolder } from './temporary-folder.js'

const corpus = fileURLToPath(new URL('./corpus', import.meta.url))

async function found() {
  const home = await temporaryFolder()
  await cp(corpus, join(home, '.claude', 'agents'), { recursive: true })
  const { types, problems } = await findAgentTypes({ home })
  return { types, problems: problems.map(({ file, ...rest }) => ({ file: basename(file), ...rest })) }
}

describe('definitions as people have them', () => {
  it('work, whatever their style', async () => {
    const { types } = await found()
    const names = [...types.values()].filter(({ file }) => file !== undefined).map(({ name }) => name)
    expect(names).toEqual([
      'Quick Fixer',
      'all-rounder',
      'api-designer',
      'code-reviewer',
      'db-migrator',
      'design-lead',
      'docs-writer',
      'release-notes',
      'security-auditor',
      'summarizer',
      'test-runner',
    ])
  })

  it('say what an agent may use', async () => {
    const { types } = await found()
    const tools = [...types.values()].filter(({ file }) => file).map((type) => [type.name, type.tools])
    expect(Object.fromEntries(tools)).toEqual({
      'Quick Fixer': undefined,
      'all-rounder': undefined,
      'api-designer': ['Read', 'Write'],
      'code-reviewer': ['Read', 'Grep', 'Glob', 'Bash'],
      'db-migrator': undefined,
      'design-lead': undefined,
      'docs-writer': ['Read', 'Edit', 'Write', 'Grep'],
      'release-notes': undefined,
      'security-auditor': undefined,
      summarizer: [],
      'test-runner': undefined,
    })
  })

  it('have their other fields, and nothing that was not written', async () => {
    const { types } = await found()
    const { file: _, prompt: __, ...auditor } = types.get('security-auditor') ?? { prompt: '' }
    expect(auditor).toEqual({
      name: 'security-auditor',
      description: "Looks for holes: injections, secrets, missing checks. It doesn't change anything.",
      withoutTools: ['Write', 'Edit', 'mcp__github__*'],
      isReadOnly: true,
      memory: 'project',
      model: 'claude-opus-4-6',
    })
    const { file: ___, ...migrator } = types.get('db-migrator') ?? {}
    expect(migrator).toEqual({
      name: 'db-migrator',
      description: 'Writes migrations of the database and tries them on a copy',
      prompt: 'Write the way forth and the way back. Try both.',
      worktree: true,
      isBackground: true,
      maxTurns: 30,
      deadline: 600_000,
      neverAsks: true,
    })
    expect(types.get('docs-writer')).not.toHaveProperty('model')
    expect(types.get('summarizer')).toMatchObject({ maxTurns: 1 })
  })

  it('have descriptions of one line, colons, escapes and examples included', async () => {
    const { types } = await found()
    expect(types.get('test-runner')).toMatchObject({
      model: 'haiku',
      description: expect.stringMatching(
        /^Use this agent when: tests fail, .* Examples: <example> Context: .*<\/example>$/,
      ),
    })
    expect(types.get('api-designer')).toMatchObject({
      model: 'opus',
      description: expect.stringMatching(
        /^Designs HTTP interfaces: paths, .* user: "How do we bring out v2\?" <\/example>$/,
      ),
    })
    expect(types.get('Quick Fixer')?.description).toBe(
      'Mends typos and lint: the small things. Not for anything that needs a thought.',
    )
    expect(types.get('release-notes')?.description).toBe('You write release notes from the commits since the last tag.')
  })

  it('are refused where a limit could not be kept, and else only told of', async () => {
    const { problems } = await found()
    expect(problems).toEqual([
      { file: 'README.md', line: 1, isRefused: true, message: expect.stringContaining('Begin the file with a line') },
      { file: 'from-a-skill.md', line: 4, isRefused: true, message: expect.stringContaining('Say it with tools') },
      {
        file: 'design-lead.md',
        line: 4,
        isRefused: false,
        message: expect.stringMatching(/mcp.*skills.*effort.*version/),
      },
      { file: 'git-helper.md', line: 4, isRefused: true, message: expect.stringContaining('in brackets narrows') },
      { file: 'guarded.md', line: 5, isRefused: true, message: expect.stringContaining('"hooks" may limit') },
      { file: 'quick-fixer.md', line: 7, isRefused: false, message: expect.stringContaining("can't give itself more") },
      { file: 'release-notes.md', line: 1, isRefused: false, message: expect.stringContaining('first sentence') },
    ])
  })
})
