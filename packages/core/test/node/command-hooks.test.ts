import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NacreError } from '../../src/errors.js'
import { createDispatcher, type DispatcherOptions, type HookOwner } from '../../src/hooks/dispatcher.js'
import { type CommandHookOptions, type CommandSettings, commandHooks } from '../../src/node/command-hooks.js'
import { echoTool, hookSession, recordedOptions, stillTimer } from '../hooks/hook-session.js'

// The scripts are for a POSIX shell; Windows has its own, with the same exit codes and streams.
const suite = describe.skipIf(process.platform === 'win32')
const call = { id: 'call-1', name: 'Bash', input: { command: 'ls' } }
const result = (text: string) => ({ content: [{ type: 'text', text }] })
const compact = {
  trigger: 'auto',
  tokens: 9,
  span: { from: 'a', to: 'b' },
  count: 1,
  whole: true,
  dryRun: false,
} as const

let folder = ''
let scripts = 0
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'command-hooks-')))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes a script and gives the command that runs it. */
async function script(...lines: readonly string[]): Promise<string> {
  const path = join(folder, `script-${scripts++}.sh`)
  await writeFile(path, lines.join('\n'))
  return `sh '${path}'`
}

const print = (value: unknown) =>
  script(`cat <<'END'`, typeof value === 'string' ? value : JSON.stringify(value), 'END')
const deny = (reason: string) => script(`echo '${reason}' >&2`, 'exit 2')

async function hooked(
  settings: CommandSettings,
  over: Partial<DispatcherOptions> = {},
  options: Partial<CommandHookOptions> = {},
) {
  const warnings: NacreError[] = []
  const plugin = commandHooks(settings, { report: (warning) => warnings.push(warning), ...options })
  const contribution = await plugin.setup({ cwd: folder } as never)
  const owner = { name: plugin.name, scope: plugin.scope, contribution } as HookOwner
  const { options: recorded, reports, notes } = recordedOptions([owner], over)
  const texts = () => notes.flatMap((given) => given.notes.map(({ text }) => text))
  return { hooks: createDispatcher(recorded), warnings, reports, notes, texts }
}

suite('what a command gets', () => {
  test('is the event with its session, folder and tool on standard input', async () => {
    const command = await script(`tr -d '\\n' > '${folder}/input.json'`, 'pwd >&2', 'exit 2')
    const { hooks } = await hooked({ PreToolUse: [{ command }] })
    const decided = await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(decided?.reason).toBe(folder)
    expect(JSON.parse(execFileSync('cat', [join(folder, 'input.json')], { encoding: 'utf8' }))).toEqual({
      hook_event_name: 'PreToolUse',
      session_id: 'session-1',
      session_source: 'main',
      cwd: folder,
      tool: { name: 'echo', description: 'Gives back its input.' },
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      call,
    })
  })

  test('has an error as text, of a view the figures, of a tool the name', async () => {
    const command = await script(`cat >&2`, 'exit 2')
    const view = { version: 7, tokens: { total: 5 }, rounds: ['the whole conversation'] }
    const tool = { name: 'Bash', description: 'runs', run: () => {} }
    const { hooks, texts, warnings } = await hooked({
      PostToolUseFailure: [{ command }],
      PostModelCall: [{ command }],
      PrepareToolUse: [{ command }],
    })
    const error = new TypeError('broken')
    await hooks.transform('PostToolUseFailure', { call, error, value: result('') })
    expect(JSON.parse(texts()[0] ?? '')).toMatchObject({ error: { name: 'TypeError', message: 'broken' } })
    await hooks.collect('PostModelCall', { response: {} as never, view: view as never })
    expect(warnings[0]?.message).toContain('"view":{"version":7,"tokens":{"total":5}}')
    await hooks.transform('PrepareToolUse', { tool: tool as never, value: call })
    expect(warnings[1]?.message).toContain('"tool":{"name":"Bash","description":"runs"}')
    expect(warnings[1]?.message).toContain('"tool_name":"Bash"')
  })

  test('need not be read', async () => {
    const { hooks, warnings } = await hooked({ UserPromptSubmit: [{ command: 'true' }] })
    const prompt = { content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] }
    expect(await hooks.decide('UserPromptSubmit', { prompt })).toBeUndefined()
    expect(warnings).toEqual([])
  })
})

suite('exit code 2', () => {
  const gates = [
    ['PreToolUse', { call, tool: echoTool }, 'deny'],
    ['PermissionRequest', { call, reason: 'asked' }, 'deny'],
    ['UserPromptSubmit', { prompt: { content: [] } }, 'block'],
    ['SubagentStop', { agent: 'reviewer', result: result('') }, 'continue'],
    ['Stop', { response: {}, times: 0 }, 'continue'],
  ] as const
  test.each(gates)('is the strictest verdict of %s', async (name, event, verdict) => {
    const { hooks } = await hooked({ [name]: [{ command: await deny('not this') }] })
    expect(await hooks.decide(name, event as never)).toEqual({
      verdict,
      reason: 'not this',
      owner: 'command-hooks',
    })
  })

  test('has a reason even if the command gives none', async () => {
    const { hooks } = await hooked({ PreToolUse: [{ command: 'exit 2' }] })
    const decided = await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(decided?.reason).toBe('exit code 2 without a reason on stderr')
  })

  test('is a veto at PreCompact', async () => {
    const { hooks } = await hooked({ PreCompact: [{ command: await deny('not now') }] })
    expect(await hooks.collect('PreCompact', compact)).toMatchObject([{ answer: { veto: 'not now' } }])
  })

  test.each(['PostToolUse', 'PostToolUseFailure'] as const)('is a note at %s', async (name) => {
    const { hooks, notes } = await hooked({ [name]: [{ command: await deny('the linter objects') }] })
    const value = result('done')
    const event = { call, value, error: new Error('broken') }
    expect(await hooks.transform(name, event)).toEqual({ value, changes: [] })
    expect(notes).toEqual([{ owner: 'command-hooks', notes: [{ text: 'the linter objects', trust: 'content' }] }])
  })

  test('is a warning where there is nothing to stop', async () => {
    const { hooks, warnings } = await hooked({ SessionEnd: [{ command: await deny('stay') }] })
    await hooks.collect('SessionEnd', { reason: 'done' })
    expect(warnings[0]?.message).toMatch(/^Command hook SessionEnd, 'sh .*': exit code 2: stay$/)
  })
})

suite('other exit codes', () => {
  test.each([1, 3, 128, 200, 255])('code %i warns and changes nothing', async (code) => {
    const command = await script('echo \'{"verdict":"deny"}\'', 'echo oops >&2', `exit ${code}`)
    const { hooks, warnings } = await hooked({ PreToolUse: [{ command }] })
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toBeUndefined()
    expect(warnings).toMatchObject([{ code: 'HOOK_FAILED', details: { plugin: 'command-hooks', hook: 'PreToolUse' } }])
    expect(warnings[0]?.message).toContain(`exit code ${code}: oops`)
  })

  test.each([
    ['nowhere-to-be-found --check', 'exit code 127: the program was not found'],
    ['/', 'exit code 126: the program could not be run'],
    ['exit 127', 'exit code 127: the program was not found'],
    ["sh -c 'kill -9 $$'; exit $?", 'exit code 137: ended by signal 9'],
    ["sh -c 'kill -15 $$'; exit $?", 'exit code 143: ended by signal 15'],
  ])('a gate whose command did not run to its end is closed: %s', async (command, words) => {
    const { hooks, warnings } = await hooked({ PreToolUse: [{ command }], SessionEnd: [{ command }] })
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_FAILED', details: { plugin: 'command-hooks' } })
    await expect(decided).rejects.toThrow(words)
    await hooks.collect('SessionEnd', { reason: 'done' })
    expect(warnings[0]?.message).toMatch(/exit code 1\d\d/)
  })

  test('a command that is ended by a signal closes a gate', async () => {
    const { hooks } = await hooked({ PreToolUse: [{ command: 'kill -9 $$' }] })
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_FAILED' })
    await expect(decided).rejects.toThrow('was ended by SIGKILL')
  })
})

suite('answers on standard output', () => {
  test.each([
    [
      { verdict: 'ask', reason: 'unsure' },
      { verdict: 'ask', reason: 'unsure' },
    ],
    [{ verdict: 'allow' }, { verdict: 'allow', reason: '' }],
    [
      { decision: 'block', reason: 'no' },
      { verdict: 'deny', reason: 'no' },
    ],
    [{ decision: 'approve' }, { verdict: 'allow', reason: '' }],
    [
      { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } },
      { verdict: 'deny', reason: 'no' },
    ],
    [{ continue: true }, undefined],
    [{ suppressOutput: true, systemMessage: 'checked' }, undefined],
    [{}, undefined],
    ['', undefined],
  ])('a gate reads case %#', async (printed, decided) => {
    const { hooks } = await hooked({ PreToolUse: [{ command: await print(printed) }] })
    const verdict = await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(verdict).toEqual(decided && { ...decided, owner: 'command-hooks' })
  })

  test('approval is no answer where a gate has no word for it', async () => {
    const { hooks } = await hooked({ Stop: [{ command: await print({ decision: 'approve' }) }] })
    expect(await hooks.decide('Stop', {} as never)).toBeUndefined()
  })

  test.each([
    [{ verdict: 'dny' }, '"dny"; PreToolUse knows deny, ask, allow'],
    ['{"verdict": "deny"', 'the answer is not valid JSON'],
    [{ verdict: 'allow ' }, '"allow "; PreToolUse knows'],
    [{ verdict: null }, 'no verdict, but verdict: null'],
    [{ verdict: true }, 'true; PreToolUse knows'],
    [{ permissionDecision: 'deny' }, 'no verdict, but permissionDecision: "deny"'],
    [{ reason: 'never' }, 'no verdict, but reason: "never"'],
    [{ continue: false, stopReason: 'never' }, 'no verdict, but continue: false'],
    ['false', 'it printed false, which is no answer'],
    ['null', 'it printed null, which is no answer'],
    ['[]', 'it printed [], which is no answer'],
    ['"deny"', 'it printed "deny", which is no answer'],
    ['deny', 'it printed "deny", which is no answer'],
    ['checking …', 'it printed "checking …", which is no answer'],
  ])('a gate closes at an answer it can not understand, case %#', async (printed, words) => {
    const { hooks } = await hooked({ PreToolUse: [{ command: await print(printed) }] })
    await expect(hooks.decide('PreToolUse', { call, tool: echoTool })).rejects.toThrow(words)
  })

  test('talk is no answer at a gate about no call, and nothing there', async () => {
    const { hooks, warnings } = await hooked({ Stop: [{ command: 'echo all tests pass' }] })
    expect(await hooks.decide('Stop', {} as never)).toBeUndefined()
    expect(warnings).toEqual([])
  })

  test('commands of one gate run side by side, and the strictest verdict wins', async () => {
    const commands = [await print({ verdict: 'allow' }), await deny('no'), await print({ verdict: 'dny' })]
    const { hooks, warnings } = await hooked({ PreToolUse: commands.map((command) => ({ command })) })
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toMatchObject({
      verdict: 'deny',
      reason: 'no',
    })
    expect(warnings).toHaveLength(1)
  })

  test('instructions are joined, and a veto stands beside them', async () => {
    const commands = [
      await print({ instructions: 'Keep SQL.', suppressOutput: true, message: 'It takes a while.' }),
      await print({ instructions: 'Keep paths.' }),
      await deny('no'),
    ]
    const { hooks } = await hooked({ PreCompact: commands.map((command) => ({ command })) })
    const answer = { instructions: 'Keep SQL.\n\nKeep paths.', veto: 'no', message: 'It takes a while.' }
    expect(await hooks.collect('PreCompact', compact)).toEqual([{ owner: 'command-hooks', answer }])
  })

  test('a transform takes the value, one command after the other', async () => {
    const shout = await script(
      `sed 's/.*"text":"\\([a-z!]*\\)".*/{"value":{"content":[{"type":"text","text":"\\1!"}]}}/'`,
    )
    const { hooks, warnings } = await hooked({ PostToolUse: [{ command: shout }, { command: shout }] })
    const changed = await hooks.transform('PostToolUse', { call, value: result('done') })
    expect(warnings).toEqual([])
    expect(changed).toEqual({
      value: result('done!!'),
      changes: [{ owner: 'command-hooks', value: result('done!!') }],
    })
  })

  test.each([
    ['PrepareToolUse', { ...call, id: 'other' }, 'another id'],
    ['PrepareToolUse', { id: call.id, input: {} }, "has nothing as 'name', not string"],
    ['PrepareToolUse', 5, 'is number, not an object'],
    ['PostToolUse', { content: 'text' }, "has string as 'content', not a list"],
    ['PostToolUse', { content: ['text'] }, 'a block without a type'],
  ] as const)('a value of another shape is a warning at %s, case %#', async (name, value, words) => {
    const { hooks, warnings } = await hooked({ [name]: [{ command: await print({ value }) }] })
    const before = name === 'PrepareToolUse' ? call : result('done')
    const event = { call, value: before, tool: { name: 'Bash' } } as never
    expect(await hooks.transform(name, event)).toEqual({ value: before, changes: [] })
    expect(warnings[0]?.message).toContain(words)
  })

  test('an input may be changed to anything: the schema of the tool judges it', async () => {
    const value = { ...call, input: 'ls' }
    const { hooks } = await hooked({ PrepareToolUse: [{ command: await print({ value }) }] })
    const changed = await hooks.transform('PrepareToolUse', { tool: {} as never, value: call })
    expect(changed.value).toEqual(value)
  })

  test('plain text is a note at SessionStart and UserPromptSubmit, and nothing elsewhere', async () => {
    const commands = [{ command: 'echo the branch is main' }]
    const { hooks, notes } = await hooked({ SessionStart: commands, UserPromptSubmit: commands, SessionEnd: commands })
    await hooks.collect('SessionStart', { source: 'startup' })
    await hooks.decide('UserPromptSubmit', { prompt: { content: [] } })
    await hooks.collect('SessionEnd', { reason: 'done' })
    const note = { owner: 'command-hooks', notes: [{ text: 'the branch is main', trust: 'content' }] }
    expect(notes).toEqual([note, note])
  })

  test('a note can be given at any hook, and is content', async () => {
    const { hooks, texts } = await hooked({
      PostCompact: [{ command: await print({ note: 'one' }) }],
      PreToolUse: [{ command: await print({ hookSpecificOutput: { additionalContext: 'two' } }) }],
    })
    expect(await hooks.collect('PostCompact', {} as never)).toEqual([])
    await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(texts()).toEqual(['one', 'two'])
  })

  test('more than 50,000 characters are cut, and a cut answer closes a gate', async () => {
    const long = `head -c 200000 /dev/zero | tr '\\0' x`
    const { hooks, texts } = await hooked({
      SessionStart: [{ command: long }],
      PreToolUse: [{ command: `printf '{"note":"'; ${long}` }],
    })
    await hooks.collect('SessionStart', { source: 'startup' })
    expect(texts()).toEqual([`${'x'.repeat(50_000)}\n[cut here]`])
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    await expect(decided).rejects.toThrow('the answer is longer than 50000 characters')
  })

  test('hooks of other plugins can be bound by their kind, and take any object', async () => {
    const command = await print({ topics: ['a'] })
    const { hooks } = await hooked({ PreDream: [{ command }] }, {}, { kinds: { PreDream: 'collect' } })
    expect(await hooks.collect('PreDream' as never, {} as never)).toMatchObject([{ answer: { topics: ['a'] } }])
  })
})

suite('who is asked', () => {
  test.each([
    ['Bash|Edit*', 'Bash', true],
    ['Bash|Edit*', 'EditNotebook', true],
    ['Bash | Read', 'Read', true],
    ['Bash|Edit*', 'BashOutput', false],
    ['Bas?', 'Bash', true],
    ['mcp__*__list', 'mcp__files__list', true],
    ['a.b', 'axb', false],
    ['*', 'Anything', true],
    ['', 'Anything', true],
    // As an expression it would try every way to share the letters among the stars.
    [`${'*a'.repeat(30)}*c`, `${'a'.repeat(60)}cb`, false],
    [`${'*a'.repeat(30)}*c?`, `${'a'.repeat(60)}cb`, true],
  ])('the matcher %s for the tool %s: %s', async (matcher, name, isAsked) => {
    const { hooks } = await hooked({ PreToolUse: [{ matcher, command: 'exit 2' }] })
    const decided = await hooks.decide('PreToolUse', { call: { ...call, name }, tool: echoTool })
    expect(decided !== undefined).toBe(isAsked)
  })

  test('a gate of tools holds in sub-agents and forks, the rest is for the main conversation', async () => {
    const settings = { PreToolUse: [{ command: 'exit 2' }], PreCompact: [{ command: 'exit 2' }] }
    const { hooks } = await hooked(settings, { session: hookSession({ source: 'agent:reviewer' }) })
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toMatchObject({ verdict: 'deny' })
    expect(await hooks.collect('PreCompact', compact)).toEqual([])
  })
})

suite('a command that hangs', () => {
  /** A script with a child that both hold a pipe open: it ends when the last of them has. */
  async function hanging() {
    const pipe = join(folder, `pipe-${scripts++}`)
    execFileSync('mkfifo', [pipe])
    const command = await script(`exec 3>'${pipe}'`, 'sleep 1000 &', 'echo ready >&3', 'wait')
    const stream = createReadStream(pipe)
    const isReady = new Promise((resolve) => stream.once('data', resolve))
    const hasEnded = new Promise<void>((resolve) => stream.once('end', resolve))
    return { command, isReady, hasEnded }
  }

  test('is killed with its children after its timeout, and closes a gate', async () => {
    const clock = stillTimer()
    const { command, isReady, hasEnded } = await hanging()
    const settings = { PreToolUse: [{ command, timeout: 90 }] }
    const { hooks } = await hooked(settings, { timer: clock.timer }, { timer: clock.timer })
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    await isReady
    expect(clock.pending()).toEqual([90_000])
    clock.fire()
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_TIMEOUT', details: { hook: 'PreToolUse' } })
    await expect(decided).rejects.toThrow('no answer within 90 s')
    await hasEnded
  })

  test('has 60 seconds unless told otherwise, and is a warning where there is no gate', async () => {
    const clock = stillTimer()
    const { command, isReady, hasEnded } = await hanging()
    const { hooks, warnings } = await hooked({ SessionEnd: [{ command }] }, {}, { timer: clock.timer })
    const collected = hooks.collect('SessionEnd', { reason: 'done' })
    await isReady
    expect(clock.pending()).toEqual([60_000])
    clock.fire()
    await collected
    expect(warnings[0]?.message).toContain('no answer within 60 s')
    await hasEnded
  })

  test('is killed with its children by an abort', async () => {
    const controller = new AbortController()
    const { command, isReady, hasEnded } = await hanging()
    const session = hookSession({ signal: controller.signal })
    const { hooks, warnings } = await hooked({ Stop: [{ command }] }, { session }, { timer: stillTimer().timer })
    const decided = hooks.decide('Stop', {} as never)
    await isReady
    controller.abort()
    await expect(decided).rejects.toMatchObject({ code: 'ABORTED' })
    await hasEnded
    expect(warnings).toEqual([])
  })

  test('a folder that is not there closes a gate', async () => {
    const plugin = commandHooks({ PreToolUse: [{ command: 'true' }] })
    const contribution = await plugin.setup({ cwd: join(folder, 'missing') } as never)
    const { options } = recordedOptions([{ name: plugin.name, scope: 'all', contribution }])
    const decided = createDispatcher(options).decide('PreToolUse', { call, tool: echoTool })
    await expect(decided).rejects.toThrow("'true' could not be started")
  })
})

describe('settings', () => {
  test.each([
    [{ PreToolUs: [] }, "There is no hook 'PreToolUs'. Did you mean 'PreToolUse'? Hooks: SessionStart,"],
    [[], 'an object with the names of hooks, not []'],
    [{ Stop: 'npm test' }, 'Hook Stop takes a list of commands like'],
    [{ Stop: ['npm test'] }, 'Stop[0] is "npm test"; it has the form'],
    [{ Stop: [{ comand: 'npm test' }] }, "Stop[0] has a field 'comand'; it has the form"],
    [{ Stop: [{ command: ' ' }] }, 'Stop[0].command is " "'],
    [{ Stop: [{}] }, 'Stop[0].command is undefined'],
    [{ PreToolUse: [{ command: 'true', matcher: 5 }] }, 'PreToolUse[0].matcher is 5'],
    [{ Stop: [{ command: 'true', matcher: 'Bash' }] }, 'Stop[0].matcher is for tools, and Stop is about none.'],
    [{ Stop: [{ command: 'true', timeout: 0 }] }, 'Stop[0].timeout is 0'],
    [{ Stop: [{ command: 'true', timeout: '60' }] }, 'Stop[0].timeout is "60"'],
  ])('that can not be meant are an error, case %#', (settings, words) => {
    expect(() => commandHooks(settings as never)).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }))
    expect(() => commandHooks(settings as never)).toThrow(words)
  })
})
