import { definePlugin, type Plugin } from '@nacre/core'
import { askUserTool } from './ask-user-tool.js'
import type { Ask } from './question.js'

export interface AskUserOptions {
  /** Given by the program that has a person in front of it. Without it the model is told to decide by itself. */
  readonly ask?: Ask
}

/** Lets the model ask the person. */
export function askUser({ ask }: AskUserOptions = {}): Plugin {
  return definePlugin({ name: 'ask-user', setup: () => ({ tools: [askUserTool(ask)] }) })
}
