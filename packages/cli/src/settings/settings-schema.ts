import { hookKinds } from '@nacre/core'
import { z } from 'zod'
import { nearestWord } from '../terminal/nearest-word.js'

/** The hooks that a shell command can be bound to. */
const HOOKS = Object.keys(hookKinds)

const MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'accept-edits', 'bypass'] as const
const TTLS = ['5m', '1h'] as const
const POLICIES = ['fidelity', 'balanced', 'economy'] as const

/** What each part has to be, worded to follow "it has to be". */
const text = (expected: string) => z.string({ error: expected }).trim().min(1, { error: expected })
const texts = (expected: string) => z.array(text(expected), { error: expected })

const rules = (verdict: string, example: string) =>
  texts(`a list of rules, such as ["${example}"]`)
    .meta({ description: `Calls that ${verdict}.`, examples: [[example]] })
    .optional()

const permissions = z
  .strictObject(
    {
      mode: z
        .enum(MODES, { error: 'one of "default", "acceptEdits", "plan" or "bypassPermissions"' })
        .meta({
          description: 'What happens to calls that no rule speaks of. A project can not set "bypassPermissions".',
          examples: ['acceptEdits'],
        })
        .optional(),
      allow: rules('run without a question', 'Bash(npm run test:*)'),
      ask: rules('a person is asked about', 'Bash(git push:*)'),
      deny: rules('never run', 'Read(.env)'),
      workspace: texts('a list of folders, such as ["../shared"]')
        .meta({
          description: 'Folders beside the working folder in which work may be done.',
          examples: [['../shared']],
        })
        .optional(),
      additionalDirectories: texts('a list of folders, such as ["../shared"]')
        .meta({ description: 'Another name for workspace.', examples: [['../shared']] })
        .optional(),
    },
    { error: 'an object, such as {"allow":["Bash(npm run test:*)"]}' },
  )
  .meta({
    description: 'Which calls run, which ask a person, and which do not run.',
    examples: [{ deny: ['Read(.env)'] }],
  })

const FORM = 'such as {"matcher":"Bash|Edit*","command":"npm run lint","timeout":60}'
const hookCommand = z.strictObject(
  {
    command: text('a shell command').meta({ description: 'Runs in a shell.', examples: ['npm run lint'] }),
    matcher: z
      .string({ error: 'a text such as "Bash|Edit*"' })
      .meta({ description: 'Names of tools; only for hooks about a tool.', examples: ['Bash|Edit*'] })
      .optional(),
    timeout: z
      .number({ error: 'a number of seconds up to 86400' })
      .positive({ error: 'a number of seconds above 0' })
      .max(86_400, { error: 'a number of seconds up to 86400' })
      .meta({ description: 'Seconds; 60 unless told.', examples: [60] })
      .optional(),
  },
  { error: `an object, ${FORM}` },
)
const commands = z.array(hookCommand, { error: `a list of commands, ${FORM}` }).optional()
const hooks = z
  .strictObject(Object.fromEntries(HOOKS.map((name) => [name, commands])), {
    error: `an object with the names of hooks and lists of commands, ${FORM}`,
  })
  .meta({
    description: 'Shell commands by hook.',
    examples: [{ PostToolUse: [{ matcher: 'Edit|Write', command: 'npm run lint' }] }],
  })

const PLUGIN = 'the name of a package, or an object such as {"package":"nacre-plugin-x","options":{}}'
const plugin = z.union(
  [
    text(PLUGIN),
    z.strictObject({ package: text(PLUGIN), options: z.record(z.string(), z.unknown()).optional() }, { error: PLUGIN }),
  ],
  { error: PLUGIN },
)

const idle = z
  .strictObject(
    {
      minutes: z
        .number({ error: 'minutes above 0, such as 60' })
        .positive({ error: 'minutes above 0, such as 60' })
        .meta({ description: 'How long a pause has to be; until the cache has expired unless told.', examples: [60] })
        .optional(),
      keep: z
        .int({ error: 'a whole number of results, such as 5' })
        .positive({ error: 'a whole number of results above 0' })
        .meta({ description: 'Old results that stay; 5 unless told.', examples: [5] })
        .optional(),
    },
    { error: 'an object, such as {"minutes":60,"keep":5}' },
  )
  .meta({ description: 'Clearing after a pause.', examples: [{ minutes: 60, keep: 5 }] })

const compact = z
  .strictObject(
    {
      policy: z
        .enum(POLICIES, { error: 'one of "fidelity", "balanced" or "economy"' })
        .meta({ description: 'When context is freed.', examples: ['balanced'] })
        .optional(),
      instructions: text('a text')
        .meta({ description: 'For every summary.', examples: ['Keep every SQL statement.'] })
        .optional(),
      idle: idle.optional(),
    },
    { error: 'an object, such as {"policy":"balanced"}' },
  )
  .meta({ description: 'How a conversation that outgrows its window is folded.', examples: [{ policy: 'economy' }] })

const cache = z
  .strictObject(
    {
      ttl: z
        .enum(TTLS, { error: 'one of "5m" or "1h"' })
        .meta({
          description:
            'How long it is kept; "5m" unless told. An hour is written at 2 times the price of input, 5 minutes at 1.25.',
          examples: ['1h'],
        })
        .optional(),
      edits: z
        .boolean({ error: 'true or false' })
        .meta({
          description: 'Whether the server takes deletions by reference, which is no part of the public API.',
          examples: [true],
        })
        .optional(),
    },
    { error: 'an object, such as {"ttl":"1h"}' },
  )
  .meta({ description: 'What the server keeps of a conversation, to be read cheaply.', examples: [{ ttl: '1h' }] })

const amount = (expected: string, description: string, example: number) =>
  z
    .number({ error: expected })
    .nonnegative({ error: expected })
    .meta({ description, examples: [example] })
    .optional()

const dream = z
  .strictObject(
    {
      dailyDollars: amount(
        'dollars, 0 or more, such as 2',
        'What extraction and dreams may cost in a day, over all sessions; 2 unless told.',
        2,
      ),
      due: z
        .strictObject(
          {
            hours: amount('a number of hours, 0 or more, such as 24', 'Since the last dream; 24 unless told.', 24),
            sessions: z
              .int({ error: 'a whole number of sessions, such as 5' })
              .nonnegative({ error: 'a whole number of sessions, 0 or more' })
              .meta({ description: 'Touched since the last dream; 5 unless told.', examples: [5] })
              .optional(),
          },
          { error: 'an object, such as {"hours":24,"sessions":5}' },
        )
        .meta({ description: 'When a dream is due.', examples: [{ hours: 24, sessions: 5 }] })
        .optional(),
    },
    { error: 'an object, such as {"dailyDollars":2}' },
  )
  .meta({
    description: 'Long-term memory: what it may cost, and when it is put in order.',
    examples: [{ dailyDollars: 1 }],
  })

const memberName = (description: string, example: string) =>
  z
    .string({ error: `a name, such as "${example}"` })
    .regex(/^[\w.-]{1,64}$/, { error: `letters, digits and any of - _ . up to 64, such as "${example}"` })
    .meta({ description, examples: [example] })
    .optional()

const positive = (expected: string, description: string, example: number) =>
  z
    .number({ error: expected })
    .positive({ error: expected })
    .meta({ description, examples: [example] })
    .optional()

const agents = z
  .strictObject(
    {
      team: memberName('The team of this process; others of it can be written to by their names.', 'crew'),
      name: memberName('The name of this process in its team.', 'ann'),
      socket: z
        .boolean({ error: 'true or false' })
        .meta({ description: 'Whether other sessions can write to this one; true unless told.', examples: [false] })
        .optional(),
      atOnce: z
        .int({ error: 'a whole number of agents, such as 50' })
        .positive({ error: 'a whole number of agents above 0' })
        .meta({ description: 'Agents that run at the same time; 50 unless told.', examples: [8] })
        .optional(),
      deadlineSeconds: positive('seconds above 0, such as 1800', 'How long an agent may take; 1800 unless told.', 600),
      dollars: positive('dollars above 0, such as 2', 'What one agent may cost; no limit unless told.', 2),
      waitSeconds: amount(
        'seconds, 0 or more, such as 600',
        'How long `nacre -p` waits for agents in the background; 600 unless told.',
        600,
      ),
    },
    { error: 'an object, such as {"deadlineSeconds":600}' },
  )
  .refine(({ team, name }) => (team === undefined) === (name === undefined), {
    error: 'an object with both team and name, or neither, such as {"team":"crew","name":"ann"}',
  })
  .meta({ description: 'Sub-agents: how far they may go, and who can write.', examples: [{ deadlineSeconds: 600 }] })

const domains = (description: string, example: string) =>
  texts(`a list of domains, such as ["${example}"]`)
    .meta({ description, examples: [[example]] })
    .optional()

const webSearch = z
  .strictObject(
    {
      server: z
        .boolean({ error: 'true or false' })
        .meta({
          description: 'Whether the server of the model may search, where rules allow it; true unless told.',
          examples: [false],
        })
        .optional(),
      provider: z
        .enum(['brave', 'searxng'], { error: 'one of "brave" or "searxng"' })
        .meta({ description: 'Who searches where the server does not.', examples: ['searxng'] })
        .optional(),
      endpoint: text('a URL, such as "http://localhost:8888"')
        .meta({ description: 'Where the provider is asked.', examples: ['http://localhost:8888'] })
        .optional(),
      key: text('a key')
        .meta({ description: 'The key of the provider.', examples: ['a-key'] })
        .optional(),
      keyVariable: text('the name of a variable, such as "BRAVE_API_KEY"')
        .meta({ description: 'The variable that holds the key.', examples: ['BRAVE_API_KEY'] })
        .optional(),
      allowedDomains: domains('Where is searched, and in the domains below.', 'example.com'),
      blockedDomains: domains('Where no result comes from.', 'example.org'),
      maxUses: z
        .int({ error: 'a whole number of searches, such as 5' })
        .positive({ error: 'a whole number of searches above 0' })
        .meta({ description: 'Searches of the server in one request; 8 unless told.', examples: [5] })
        .optional(),
    },
    { error: 'an object, such as {"provider":"searxng","endpoint":"http://localhost:8888"}' },
  )
  .meta({
    description: 'Who searches the web, and where.',
    examples: [{ provider: 'searxng', endpoint: 'http://localhost:8888' }],
  })

const sandbox = z
  .strictObject(
    {
      use: z
        .enum(['auto', 'none'], { error: 'one of "auto" or "none"' })
        .meta({
          description:
            'Whether commands run in a sandbox where the machine has what it takes: auto, unless told, or none.',
          examples: ['none'],
        })
        .optional(),
      outside: texts('a list of commands, such as ["git push:*"]')
        .meta({
          description: 'Commands that run outside of the sandbox where rules allow them.',
          examples: [['git push:*']],
        })
        .optional(),
      bypass: z
        .enum(['outside', 'work'], { error: 'one of "outside" or "work"' })
        .meta({
          description:
            'Where commands run in the mode bypassPermissions: outside, unless told, or work, which is the sandbox.',
          examples: ['work'],
        })
        .optional(),
      hidden: texts('a list of places, such as ["~/more/keys"]')
        .meta({
          description: 'Places that are not there for commands, beside those that are known to hold keys.',
          examples: [['~/more/keys']],
        })
        .optional(),
    },
    { error: 'an object, such as {"hidden":["~/more/keys"]}' },
  )
  .meta({ description: 'Where commands run, and what they do not see.', examples: [{ hidden: ['~/more/keys'] }] })

const SERVERS = 'an object with servers by name, such as {"files":{"command":"npx","args":["some-server"]}}'

/** What a settings file may say, with a description and an example for each setting. */
export const settingsSchema = z.strictObject(
  {
    $schema: z.string().meta({ description: 'Where this schema is, for editors.' }).optional(),
    model: text('the name of a model, such as "claude-opus-5-5"')
      .meta({ description: 'The model that answers.', examples: ['claude-opus-5-5'] })
      .optional(),
    contextWindow: z
      .int({ error: 'a whole number of tokens, such as 200000' })
      .positive({ error: 'a whole number of tokens above 0' })
      .meta({ description: 'Tokens, where the model has another window than is known.', examples: [200_000] })
      .optional(),
    permissions: permissions.optional(),
    flags: z
      .record(z.string(), z.boolean({ error: 'true or false' }), {
        error: 'an object with flags by name, such as {"compact.clear":false}',
      })
      .meta({
        description: 'Parts that are switched on or off; `nacre flags` lists them.',
        examples: [{ 'compact.clear': false }],
      })
      .optional(),
    hooks: hooks.optional(),
    plugins: z
      .array(plugin, { error: 'a list of packages, such as ["nacre-plugin-x"]' })
      .meta({ description: 'Packages that export a plugin.', examples: [['nacre-plugin-x']] })
      .optional(),
    compact: compact.optional(),
    cache: cache.optional(),
    dream: dream.optional(),
    agents: agents.optional(),
    webSearch: webSearch.optional(),
    sandbox: sandbox.optional(),
    mcpServers: z
      .record(z.string(), z.record(z.string(), z.unknown(), { error: SERVERS }), { error: SERVERS })
      .meta({
        description: 'MCP servers by name; in the user file only.',
        examples: [{ files: { command: 'npx', args: ['-y', 'some-server'] } }],
      })
      .optional(),
    approvedMcpServers: texts('a list of servers, as name#fingerprint')
      .meta({ description: 'Servers of projects that may start; in the user file only.', examples: [['build#3f9a']] })
      .optional(),
  },
  { error: 'an object, such as {"model":"claude-opus-5-5"}' },
)

/** The part of JSON Schema that describes settings. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/** The schema of settings files for editors. */
export function settingsJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' }) as JsonSchema
  return { ...schema, ...TITLE }
}

const TITLE = {
  title: 'Settings of nacre',
  description: 'Settings of nacre: ~/.nacre/settings.json, .nacre/settings.json',
}

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** What is wrong with a setting, where it stands, what was expected, and what was probably meant. */
export function describeIssue(issue: Issue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.path)).join('\n')
  const inner = innermost(issue)
  const where = nameOf(inner.path)
  const given = at(value, inner.path)
  if (inner.code === 'unrecognized_keys') return inner.keys.map((key) => unknownKey(key, inner.path)).join('\n')
  const isMissing = given === undefined
  return `${where || 'The file'} ${isMissing ? 'is missing' : `is ${shown(given)}`}; it has to be ${inner.message}.${hint(given, inner)}`
}

/** A union fails in each of its members: the one that got furthest tells what was meant. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const found = issue.errors.flat().filter(({ path }) => path.length > 0)
  const keys = issue.errors.flat().find(({ code }) => code === 'unrecognized_keys')
  const deeper = keys ?? found[0]
  return deeper ? ({ ...deeper, path: [...issue.path, ...deeper.path] } as Issue) : issue
}

function unknownKey(key: string, path: Path): string {
  const known = keysAt(settingsJsonSchema(), path)
  const near = nearestWord(key, known)
  const place = path.length === 0 ? '' : ` in ${nameOf(path)}`
  return `There is no setting '${key}'${place}.${near ? ` Did you mean '${near}'?` : ''} Known: ${known.join(', ')}.`
}

/** What a person who wrote an almost right word has meant. */
function hint(given: unknown, issue: Issue): string {
  if (typeof given !== 'string' || issue.code !== 'invalid_value') return ''
  const near = nearestWord(given, issue.values.map(String))
  return near ? ` Did you mean "${near}"?` : ''
}

function keysAt(schema: JsonSchema | undefined, path: Path): readonly string[] {
  const [first, ...rest] = path
  if (!schema) return []
  const member = schema.anyOf?.find(({ properties, items }) => properties ?? items)
  if (member) return keysAt(member, path)
  if (first === undefined) return Object.keys(schema.properties ?? {}).filter((key) => key !== '$schema')
  return keysAt(typeof first === 'number' ? schema.items : schema.properties?.[String(first)], rest)
}

function nameOf(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
