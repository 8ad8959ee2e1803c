import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bashTools, type PermissionMode, textOf } from '../../../src/index.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { toolContext } from '../../support/tool-context.js'
import { cagedShell, noCage, type RanCommand } from '../caged-shell.js'
import { type HarmlessCommand, normalised } from './harmless-command.js'
import { changedPaths, type Lane, makeLanes, type State } from './lane.js'
import { READING } from './reading.js'
import { leaveUnfinished, makeStage, stageEnvironment, stageIn } from './stage.js'
import { WRITING } from './writing.js'

const isLong = process.env.NACRE_SOAK === '1'
/** For hundreds of commands on a machine that does other things too. */
const PATIENCE = 900_000
const SEARCH_PATH = stageEnvironment(stageIn('/')).PATH?.split(':') ?? []

const reading = READING.filter(isPossible)
const writing = WRITING.filter(isPossible)

it('has at least 170 commands of both kinds on this machine, and none twice', () => {
  for (const half of [reading, writing]) {
    expect(half.length).toBeGreaterThanOrEqual(170)
    expect(new Set(half.map(({ command }) => command)).size).toBe(half.length)
  }
})

describe.skipIf(noCage)('a command that does no harm', () => {
  const readsUnasked = { verdict: 'allow', ran: 'read' } as const
  const worksUnasked = { verdict: 'allow', ran: 'work' } as const

  it('reads without a question as it does without a cage', { timeout: PATIENCE }, async () => {
    const sample = sampleOf(reading, 4)
    expectFew(await differences(sample, { mode: 'default', expected: readsUnasked }), sample)
  })

  // What is named as not run is what the machine could not do.
  if (isLong)
    it('reads so in plan mode too', { timeout: PATIENCE }, async () => {
      expectFew(await differences(reading, { mode: 'plan', expected: readsUnasked }), reading)
    })

  it('writes in the workspace without a question as it does without a cage, where edits are accepted', {
    timeout: PATIENCE,
  }, async () => {
    const sample = sampleOf(writing, 4)
    expectFew(await differences(sample, { mode: 'accept-edits', expected: worksUnasked }), sample)
  })

  it('asks once where edits are asked about, and then writes in the workspace only', {
    timeout: PATIENCE,
  }, async () => {
    const sample = sampleOf(writing, 12)
    const asked = { verdict: 'ask', ran: 'work' } as const
    expectFew(await differences(sample, { mode: 'default', asks: true, expected: asked }), sample)
  })
})

if (isLong)
  it('does the same twice without a cage', { timeout: PATIENCE }, async () => {
    for (const half of [reading, writing]) expectFew(await differences(half), half)
  })

/** All in the long run, one of some in the short one. */
function sampleOf(half: readonly HarmlessCommand[], of: number): readonly HarmlessCommand[] {
  return isLong ? half : half.filter((_, index) => index % of === 0)
}

function isPossible({ needs = [] }: HarmlessCommand): boolean {
  return needs.every((name) => SEARCH_PATH.some((folder) => existsSync(join(folder, name))))
}

/** At most two of a hundred may differ or ask. */
function expectFew(found: readonly string[], all: readonly HarmlessCommand[]): void {
  const report = `${found.length} of ${all.length} harmless commands are not as they are without a cage`
  if (found.length > 0) console.log(`${report}:\n\n${found.join('\n\n')}`)
  expect(found.length, report).toBeLessThanOrEqual(Math.max(1, Math.floor(all.length * 0.02)))
}

interface Setting {
  readonly mode: PermissionMode
  /** The command says that it writes, and the person says yes. */
  readonly asks?: boolean
  readonly expected: Pick<RanCommand, 'verdict' | 'ran'>
}

/** Runs each command without a cage and in one (or twice without), and tells in which ways that was not the same. */
async function differences(commands: readonly HarmlessCommand[], setting?: Setting): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  const template = makeStage(join(folder, 'stage'))
  if (commands[0] === reading[0]) leaveUnfinished(template)
  const count = Math.min(Math.max(availableParallelism(), 2), 4)
  const lanes = makeLanes(
    template,
    Array.from({ length: count }, (_, index) => join(folder, `lane-${index}`)),
  )
  const waiting = [...commands.entries()]
  const found: [number, string][] = []
  const work = async (lane: Lane) => {
    // With a name as long as that of a caged shell: of a long output as much is left out as its place needs.
    const outputs = await mkdtemp(join(tmpdir(), 'nacre-loose-'))
    onTestFinished(() => rm(outputs, { recursive: true, force: true }))
    const first = withoutCage(lane, outputs)
    const second = setting ? await inCage(lane, setting) : withoutCage(lane, outputs)
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, one] = next
        const [before, after] = [await first.run(one), await second.run(one)]
        const ways = [...compared(one, before, after), ...after.problems]
        if (ways.length > 0) found.push([index, [`$ ${one.command}`, ...ways].join('\n')])
      }
    } finally {
      await second.close()
    }
  }
  await Promise.all(lanes.map(work))
  return found.sort(([one], [other]) => one - other).map(([, text]) => text)
}

interface Outcome {
  readonly text: string
  readonly isError: boolean
  readonly state: State
  readonly problems: readonly string[]
}

interface Runner {
  run(one: HarmlessCommand): Promise<Outcome>
  close(): Promise<void>
}

const TIMEOUT = 60_000

/** What the tool does where there is no sandbox, with nothing kept from one command to the next. */
function withoutCage(lane: Lane, folder: string): Runner {
  const { work } = lane.stage
  const nothing = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  return {
    async run({ command }) {
      const tools = bashTools({ folder, environment: { ...nothing, ...stageEnvironment(lane.stage) } })
      try {
        const result = await tools.bash.run({ command, timeout: TIMEOUT }, toolContext(work))
        return { text: textOf(result), isError: result.isError === true, state: lane.reset().state, problems: [] }
      } finally {
        await tools.close()
      }
    },
    close: async () => undefined,
  }
}

async function inCage(lane: Lane, { mode, asks, expected }: Setting): Promise<Runner> {
  const { work, home } = lane.stage
  const shell = await cagedShell({ cwd: work, mode, home, env: stageEnvironment(lane.stage) })
  const asking = asks ? ({ access: 'write', reason: 'It writes.', answer: 'yes' } as const) : {}
  return {
    async run({ command }) {
      const ran = await shell.run(command, { timeout: TIMEOUT, ...asking })
      const { state, changed } = lane.reset()
      // A `cd` lasts, and would be felt by the next command.
      if (/^\[The working folder is now /m.test(ran.text)) await shell.run(`cd '${work}'`)
      const judged = ran.verdict === expected.verdict && ran.ran === expected.ran
      const outside = changed.filter((path) => path !== 'work' && !path.startsWith('work/'))
      const problems = [
        ...(judged ? [] : [`  verdict ${ran.verdict}, ran ${ran.ran ?? 'not at all'}: ${ran.reason}`]),
        ...outside.map((path) => `  changed outside of the workspace: ${path}`),
      ]
      return { text: ran.text, isError: ran.isError, state, problems }
    },
    close: () => shell.close(),
  }
}

function compared(one: HarmlessCommand, before: Outcome, after: Outcome): string[] {
  const [expected, given] = [before, after].map(({ text }) => normalised(text, one).split('\n')) as [string[], string[]]
  const at = expected.findIndex((line, index) => line !== given[index])
  const line = at >= 0 ? at : expected.length
  const isSame = expected.length === given.length && at < 0
  return [
    ...(isSame ? [] : [told(line, 'without', expected), told(line, 'in cage', given)]),
    ...(before.isError === after.isError ? [] : [`  failed without: ${before.isError}, in cage: ${after.isError}`]),
    ...comparedFiles(one, before.state, after.state),
  ]
}

function told(line: number, where: string, lines: readonly string[]): string {
  return `  line ${line + 1} ${where}: ${lines[line] ?? '(none)'}`
}

function comparedFiles({ moved }: HarmlessCommand, before: State, after: State): string[] {
  const content = (state: State, path: string) => state.get(path)?.split(' ').at(-1)
  return changedPaths(before, after)
    .filter((path) => path.startsWith('work/'))
    .filter((path) => path !== `work/${moved}` || content(before, path) !== content(after, path))
    .slice(0, MOST_FILES)
    .map((path) => `  not the same file: ${path} (${before.get(path)} / ${after.get(path)})`)
}

const MOST_FILES = 5
