import type { ForkOptions, ForkResult, Source } from './fork.js'
import type { AssistantEntry, Block, Edit, Id, Note, NoticeEntry, Receipt, Span } from './log.js'
import type { CallFields } from './model.js'
import type { Draft } from './relief.js'
import type { SessionStore } from './store.js'
import type { Awaitable, Tool, ToolCall, ToolResult, Verdict } from './tool.js'
import type { View } from './view.js'

/** All are asked in order; no answer can remove another's. A throw is reported, the rest still run. Without an answer type: an observer. */
export interface Collect<Event, Answer = never> {
  kind: 'collect'
  event: Event
  answer: Answer
}

/** Each may replace `value` for the next. A throw is reported, the last good value stays. */
export interface Transform<Event, Value> {
  kind: 'transform'
  event: Event & { readonly value: Value }
  answer: Value
}

/**
 * All are asked until the strictest verdict falls; the strictest wins. `Verdicts` names them in that order. A throw or a
 * timeout reaches the caller: gates fail closed.
 */
export interface Decide<Event, Verdicts extends readonly string[]> {
  kind: 'decide'
  event: Event
  answer: Verdict<Verdicts[number]>
  verdicts: Verdicts
}

/** Every hook in the order a query meets them. A handler of any of them may give notes. Plugins add hooks by declaration merging. */
export interface HookMap {
  SessionStart: Collect<{ readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' }>
  PreparePrompt: Transform<object, Prompt>
  UserPromptSubmit: Decide<{ readonly prompt: Prompt }, readonly ['block']>
  /** Once for each climb; any veto wins. */
  PreCompact: Collect<CompactEvent, PreCompactAnswer>
  /** Before the fold is appended: its notes are in the fold. */
  PostCompact: Collect<CompactEvent & { readonly receipt: Receipt }>
  /** A draft that failed or was refused; a veto is an error with the code `BLOCKED`. */
  CompactFailed: Collect<CompactEvent & { readonly error: Error }>
  /** A file with instructions has come into the prompt or into a result; asked by the plugin that loads them. */
  InstructionsLoaded: Collect<InstructionsEvent>
  PreModelCall: Transform<{ readonly view: View }, CallFields>
  PostModelCall: Collect<{ readonly response: AssistantEntry; readonly view: View }>
  /** Before the schema, the gates and the rules: they judge what will run. */
  PrepareToolUse: Transform<{ readonly tool: Tool }, ToolCall>
  PreToolUse: Decide<{ readonly call: ToolCall; readonly tool: Tool }, readonly ['deny', 'ask', 'allow']>
  PermissionRequest: Decide<{ readonly call: ToolCall; readonly reason: string }, readonly ['deny', 'allow']>
  /** Each change is a replace owned by its plugin. */
  PostToolUse: Transform<{ readonly call: ToolCall }, ToolResult>
  PostToolUseFailure: Transform<{ readonly call: ToolCall; readonly error: Error }, ToolResult>
  /** After an edit was accepted. */
  ViewChanged: Collect<{ readonly edit: Edit; readonly view: View }>
  SubagentStart: Collect<{ readonly agent: string }>
  SubagentStop: Decide<{ readonly agent: string; readonly result: ToolResult }, readonly ['continue']>
  Stop: Decide<{ readonly response: AssistantEntry; readonly times: number }, readonly ['continue']>
  Notification: Collect<{ readonly notice: NoticeEntry }>
  SessionEnd: Collect<{ readonly reason: string }>
}

export interface CompactEvent {
  readonly trigger: Receipt['trigger']
  readonly tokens: number
  readonly span: Span
  readonly count: number
  readonly instructions?: string
  readonly whole: boolean
  readonly dryRun: boolean
}

export interface InstructionsEvent {
  /** The real path. */
  readonly path: string
  /** Where it belongs: `managed`, `user`, `project`, `local` or `nested`. */
  readonly kind: string
  /** `start` of the session, `clear`, `compact`: a fold from the start has read it again; `nested`: a file below was read. */
  readonly why: 'start' | 'clear' | 'compact' | 'nested'
  /** The file that imports it. */
  readonly importedBy?: string
}

/** `message`: for the person, who reads it as a notice; the model does not. */
export type PreCompactAnswer =
  | { readonly instructions: string; readonly message?: string }
  | { readonly veto: string; readonly message?: string }
  | { readonly message: string }

export interface Prompt {
  readonly content: readonly Block[]
}

export type HookKind = HookMap[keyof HookMap]['kind']
export type HookName<Kind extends HookKind = HookKind> = {
  [Name in keyof HookMap]: HookMap[Name]['kind'] extends Kind ? Name : never
}[keyof HookMap]
export type HookEvent<Name extends HookName> = HookMap[Name]['event']
export type HookAnswer<Name extends HookName> = HookMap[Name]['answer']

/** `undefined` is no answer; `{}` is one. */
export type Handler<Name extends HookName> = (
  event: HookEvent<Name>,
  context: HookContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that only looks returns nothing
) => Awaitable<HookAnswer<Name> | undefined | void>

/** In the order of `plugins`; `pre` before, `post` after all the others. */
export type Hooks = {
  readonly [Name in HookName]?: Handler<Name> | PlacedHandler<Name>
}

export interface PlacedHandler<Name extends HookName> {
  readonly order?: 'pre' | 'post'
  /** Milliseconds; 60,000 unless told. A handler that limits itself asks for `Infinity`. */
  readonly timeout?: number
  readonly handler: Handler<Name>
}

export interface HookContext {
  readonly sessionId: Id
  readonly source: Source
  readonly signal: AbortSignal
  readonly hooks: Dispatcher
  /** What the model will see, as it is now. */
  view(): View
  /** Writes under the plugin's own name; in a fork to the fork, whose state is its own. */
  readonly store: SessionStore
  /** Becomes an insert owned by the plugin when the dispatch ends; a handler that throws has given none. */
  note(note: Note): void
  /** Hands a finished background job's draft in; checked at the next turn boundary, resolves to the edit or the reason it was refused. */
  propose(draft: Draft): Promise<Edit | { readonly refused: string }>
  /** Background work, awaited at close. */
  defer(work: (signal: AbortSignal) => Promise<void>): void
  fork(options: ForkOptions): Promise<ForkResult>
}

/** The last value, and each change on the way to it with the plugin that made it. */
export interface Transformed<Value> {
  readonly value: Value
  readonly changes: readonly { readonly owner: string; readonly value: Value }[]
}

/** The kinds at run time, where settings name hooks by text. Partial for the compiler: plugins merge names of their own in. */
export const hookKinds: Readonly<Record<string, HookKind>> = {
  SessionStart: 'collect',
  PreparePrompt: 'transform',
  UserPromptSubmit: 'decide',
  PreCompact: 'collect',
  PostCompact: 'collect',
  CompactFailed: 'collect',
  InstructionsLoaded: 'collect',
  PreModelCall: 'transform',
  PostModelCall: 'collect',
  PrepareToolUse: 'transform',
  PreToolUse: 'decide',
  PermissionRequest: 'decide',
  PostToolUse: 'transform',
  PostToolUseFailure: 'transform',
  ViewChanged: 'collect',
  SubagentStart: 'collect',
  SubagentStop: 'decide',
  Stop: 'decide',
  Notification: 'collect',
  SessionEnd: 'collect',
} satisfies { readonly [Name in HookName]?: HookMap[Name]['kind'] }

/** The verdicts of core's gates as values, each in the order of `HookMap`. */
export const gateVerdicts = {
  UserPromptSubmit: ['block'],
  PreToolUse: ['deny', 'ask', 'allow'],
  PermissionRequest: ['deny', 'allow'],
  SubagentStop: ['continue'],
  Stop: ['continue'],
} as const satisfies { readonly [Name in HookName<'decide'>]?: HookMap[Name]['verdicts'] }

/** A gate that a plugin has merged in is known by its type alone: its caller gives the order of `HookMap` as a value. */
type VerdictsOf<Name extends HookName<'decide'>> = Name extends keyof typeof gateVerdicts
  ? []
  : [strictestFirst: HookMap[Name]['verdicts']]

/** The only way to call plugins. */
export interface Dispatcher {
  collect<Name extends HookName<'collect'>>(
    name: Name,
    event: HookEvent<Name>,
  ): Promise<readonly { readonly owner: string; readonly answer: HookAnswer<Name> }[]>
  transform<Name extends HookName<'transform'>>(
    name: Name,
    event: HookEvent<Name>,
  ): Promise<Transformed<HookAnswer<Name>>>
  decide<Name extends HookName<'decide'>>(
    name: Name,
    event: HookEvent<Name>,
    ...verdicts: VerdictsOf<Name>
  ): Promise<(HookAnswer<Name> & { readonly owner: string }) | undefined>
}
