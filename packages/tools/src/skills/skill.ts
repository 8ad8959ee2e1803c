/** A folder with a `SKILL.md`: instructions for a task, loaded when they are needed. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Where its other files are. Without links. */
  readonly folder: string
  readonly file: string
  /** The text of `SKILL.md` behind its front matter. */
  readonly body: string
  /** Whether the model may load it; a skill can say `disable-model-invocation: true`. */
  readonly isForModel: boolean
}

/** Why a skill was left out, and where to look. */
export interface SkillProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}
