import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../src/definitions/read-definition.js'

const FILE = '/agents/helper.md'

function read(fields: string, body = 'Help. Then stop.') {
  return readDefinition(FILE, `---\nname: a\ndescription: Helps.\n${fields}\n---\n${body}`)
}

/** What a field adds to a type. */
function meaning(fields: string) {
  const { type, problems } = read(fields)
  expect(problems).toEqual([])
  const { name: _, description: __, prompt: ___, file: ____, ...rest } = type ?? {}
  return rest
}

describe('a field', () => {
  it.each([
    ['tools: Read, Grep ,Read', { tools: ['Read', 'Grep'] }],
    ['tools: [Read, "mcp__github__*"]', { tools: ['Read', 'mcp__github__*'] }],
    ['tools:\n- Read\n- Grep', { tools: ['Read', 'Grep'] }],
    ['tools: ""', { tools: [] }],
    ['tools:', { tools: [] }],
    ['tools: []', { tools: [] }],
    ['tools: "*"', {}],
    ['tools: *', {}],
    ['tools: ["*", Read]', {}],
    ['Tools: Read', { tools: ['Read'] }],
    ['tools:Read', { tools: ['Read'] }],
    ['disallowedTools: Bash, Write', { withoutTools: ['Bash', 'Write'] }],
    ['disallowed-tools: [Bash]', { withoutTools: ['Bash'] }],
    ['disallowedTools: []', {}],
    ['model: inherit', {}],
    ['model:', {}],
    ['model: opus', { model: 'opus' }],
    ['model: us.anthropic.claude-haiku-4-5-20251001-v1:0', { model: 'us.anthropic.claude-haiku-4-5-20251001-v1:0' }],
    ['memory: user', { memory: 'user' }],
    ['memory: local', { memory: 'local' }],
    ['maxTurns: 5', { maxTurns: 5 }],
    ['max_turns: "12"', { maxTurns: 12 }],
    ['deadline: 90', { deadline: 90_000 }],
    ['deadline: 0.5', { deadline: 500 }],
    ['timeout: 90s', { deadline: 90_000 }],
    ['timeout: 10 m', { deadline: 600_000 }],
    ['timeout: 1h', { deadline: 3_600_000 }],
    ['background: true', { isBackground: true }],
    ['background: false', {}],
    ['isolation: worktree', { worktree: true }],
    ['permissionMode: default', {}],
    ['permission-mode: plan', { isReadOnly: true }],
    ['permissionMode: dontAsk', { neverAsks: true }],
    ['color: red', {}],
  ])('%j means %j', (field, expected) => {
    expect(meaning(field)).toEqual(expected)
  })

  it.each([
    ['tools: Bash(git:*)', 'in brackets'],
    ['tools: [Read, "Bash(npm test:*)"]', 'in brackets'],
    ['disallowedTools: Bash(rm:*)', 'in brackets'],
    ['tools: Read Grep', 'Separate names by commas'],
    ['tools: {Read: true}', 'neither a text nor a list'],
    ['tools: true', 'neither a text nor a list'],
    ['tools: [Read, [Grep]]', 'not the name of a tool'],
    ['tools: [Read, null]', 'not the name of a tool'],
    ['model: 4', 'id of a model'],
    ['model: [opus, sonnet]', 'id of a model'],
    ['model: the best', 'id of a model'],
    ['maxTurns: 0', 'whole number'],
    ['maxTurns: -1', 'whole number'],
    ['maxTurns: 2.5', 'whole number'],
    ['maxTurns: many', 'whole number'],
    ['deadline: 0', 'has to be seconds'],
    ['deadline: soon', 'has to be seconds'],
    ['deadline: 1000h', 'up to 24 days'],
    ['isolation: container', 'only be worktree'],
    ['permissionMode: strict', 'can be default, plan or dontAsk'],
    ['permissionMode:', 'can be default, plan or dontAsk'],
    ['hooks: {}', 'may limit'],
    ['allowed_tools: Read', 'may limit'],
    ['deniedTools: Bash', 'may limit'],
    ['deny: Bash', 'may limit'],
    ['Read-Only: true', 'may limit'],
    ['sandbox: true', 'may limit'],
    ['permissions: {deny: [Bash]}', 'may limit'],
    ['paths: [src]', 'may limit'],
    ['network: none', 'may limit'],
    ['onlyOn: main', 'may limit'],
    ['max_tokens: 1000', 'may limit'],
    ['forbidden: rm', 'may limit'],
    ['"read only": true', 'may limit'],
    ['base: &b {tools: Read}\n<<: *b', 'may limit'],
    ['tools: Read\ntools: "*"', 'there twice'],
    ['deadline: 5\ntimeout: 10', 'there twice'],
    ['name: b', 'there twice'],
  ])('%j refuses the definition', (field, reason) => {
    const { type, problems } = read(field)
    expect(type).toBeUndefined()
    const [problem] = problems.filter(({ isRefused }) => isRefused)
    expect(problem).toMatchObject({ file: FILE, message: expect.stringContaining(reason) })
    expect(problem?.line).toBe(3 + field.split('\n').length)
  })

  it.each([
    ['permissionMode: bypassPermissions', "can't give itself more"],
    ['permissionMode: acceptEdits', "can't give itself more"],
    ['memory: all', 'user, project or local'],
    ['background: maybe', 'true or false'],
    [
      'mcpServers: [github]\nskills: a\neffort: high\ninitialPrompt: Go',
      '"mcpServers", "skills", "effort", "initialPrompt"',
    ],
  ])('%j is told once and left aside', (field, message) => {
    const { type, problems } = read(field)
    expect(problems).toEqual([{ file: FILE, line: 4, isRefused: false, message: expect.stringContaining(message) }])
    expect(type).toEqual({ name: 'a', description: 'Helps.', prompt: 'Help. Then stop.', file: FILE })
  })

  it('is told with every other one that is wrong', () => {
    const { problems } = read('model: 4\nhooks: {}\nextra: 1')
    expect(problems.map(({ line, isRefused }) => [line, isRefused])).toEqual([
      [5, true],
      [6, false],
      [4, true],
    ])
  })
})

describe('a name', () => {
  const named = (name: string) => readDefinition(FILE, `---\nname: ${name}\ndescription: Helps.\n---\nHelp.`)

  it.each(['reviewer', 'Code Reviewer', 'team:lint', 'v1.2_b-c', '7', 'constructor'])('may be %j', (name) => {
    expect(named(name).type?.name).toBe(name)
  })

  it.each(['../up', '-a', '"a\\nb"', 'größe', 'a/b', 'x'.repeat(65), '[a]', '{a: b}'])('is not %j', (name) => {
    const { type, problems } = named(name)
    expect(type).toBeUndefined()
    expect(problems).toMatchObject([{ line: 2, isRefused: true, message: expect.stringContaining('is not a name') }])
  })

  it('is that of the file where none is written', () => {
    expect(named('').type?.name).toBe('helper')
    expect(named('""').type?.name).toBe('helper')
  })
})

describe('a description', () => {
  const without = (body: string) => readDefinition(FILE, `---\nname: a\n---\n${body}`)

  it.each([
    ['# Title\n\nYou help people. And more.', 'You help people.'],
    ['---\n\nNo end at all', 'No end at all'],
    ['Version 1.5 is old! So what?', 'Version 1.5 is old!'],
  ])('is the first sentence of %j where none is written, which is told', (body, description) => {
    const { type, problems } = without(body)
    expect(type?.description).toBe(description)
    expect(problems).toMatchObject([{ isRefused: false, message: expect.stringContaining('no description') }])
  })

  it('has to come from somewhere', () => {
    expect(without('# Only a title').type).toBeUndefined()
    expect(without('')).toMatchObject({ problems: [{ isRefused: true }, { isRefused: false }] })
  })

  it('is one line without halves of characters and without control characters', () => {
    const written = '---\nname: a\ndescription: "One\\n two \\uD83D half \\e[31m"\n---\nHelp.'
    expect(readDefinition(FILE, written).type?.description).toBe('One two \uFFFD half [31m')
  })

  it('that is no text is told and left aside', () => {
    const { type, problems } = readDefinition(FILE, '---\ndescription: [a]\n---\nHelp.')
    expect(type?.description).toBe('Help.')
    expect(problems.map(({ isRefused }) => isRefused)).toEqual([false, false])
  })
})

describe('a definition', () => {
  it.each([
    ['nothing', '', 'no front matter'],
    ['no front matter', '# Helper\n\nHelp.', 'no front matter'],
    ['no end of it', '---\nname: a\n', 'no end'],
    ['too much of it', `---\n${'k: v\n'.repeat(20_000)}---\n`, 'longer than'],
    ['a list', '---\n- name: a\n---\n', 'does not begin with a field'],
  ])('with %s is refused with what to do', (_what, source, message) => {
    const { type, problems } = readDefinition(FILE, source)
    expect(type).toBeUndefined()
    expect(problems).toMatchObject([{ isRefused: true, message: expect.stringContaining(message) }])
  })

  it('without a text works, and is told of', () => {
    const { type, problems } = read('', '')
    expect(type?.prompt).toBe('')
    expect(problems).toMatchObject([{ isRefused: false, message: expect.stringContaining('no prompt of its own') }])
  })

  it('may have empty lines before its front matter, which count', () => {
    const { problems } = readDefinition(FILE, '\n\n---\nname: a\ndescription: b\nextra: c\n---\nHelp.')
    expect(problems).toMatchObject([{ line: 6 }])
  })
})
