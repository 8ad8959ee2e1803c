import type { Editor } from '../input/editor.js'
import type { Line } from '../text/span.js'

/** Something that a person has to decide before the work goes on. */
export interface Choice {
  readonly title: string
  /** What it is about, as lines that fit. */
  body(width: number): readonly Line[]
  readonly options: readonly ChoiceOption[]
  /** Whether several options may be picked. */
  readonly isMulti?: boolean
  /** What Esc does, in words. */
  readonly leaving?: string
}

export interface ChoiceOption {
  readonly label: string
  readonly description?: string
  /** A letter that picks it at once. */
  readonly key?: string
  /** Picking it asks for words of one's own. */
  readonly wantsText?: boolean
}

/** What was picked, by place. */
export interface Picked {
  readonly options: readonly number[]
  readonly text?: string
}

/** A choice on the screen. */
export interface Dialog {
  readonly choice: Choice
  readonly at: number
  readonly marked: readonly number[]
  /** Words that are being typed for the option at hand. */
  readonly words?: Editor | undefined
}
