/** A kind of agent that a session may start: what it is for, what it is told, and what it may do. */
export interface AgentType {
  readonly name: string
  readonly description: string
  /** Its system prompt: the text behind the front matter. */
  readonly prompt: string
  /** Tool names (or patterns like `mcp__github__*`) that it may use; all unless told. */
  readonly tools?: readonly string[]
  readonly withoutTools?: readonly string[]
  /** Only calls that change nothing may run. */
  readonly isReadOnly?: true
  /** `inherit` is `undefined`. An alias (opus, sonnet, haiku, fable) or a full id, as written. */
  readonly model?: string
  readonly memory?: 'user' | 'project' | 'local'
  readonly maxTurns?: number
  /** Milliseconds. */
  readonly deadline?: number
  readonly isBackground?: true
  readonly worktree?: true
  /** Questions to a person are denied at once. */
  readonly neverAsks?: true
  /** Where it was read from; none for those built in. */
  readonly file?: string
}

/** What is wrong with a definition, and where to look. */
export interface DefinitionProblem {
  readonly file: string
  readonly line: number
  readonly message: string
  /** Whether the definition was refused; else it works and this is only told. */
  readonly isRefused: boolean
}

/** The types there are, by name, and what was refused or left aside. */
export interface FoundTypes {
  readonly types: ReadonlyMap<string, AgentType>
  readonly problems: readonly DefinitionProblem[]
}
