import { createSession, type OpenSession, type Session, type Tool } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { readProjectFile } from '../story.js'
import { tidy } from './tidy.js'

/** Where a session of the demo lives: its server, the project it reads, and the folder that keeps its log. */
export interface Place {
  readonly url: string
  readonly project: string
  readonly home: string
}

const SYSTEM = [
  'You work on a small web service. Read before you judge, and name the file and the line.',
  ...Array.from({ length: 60 }, (_, index) => `House rule ${index + 1}: keep module ${index + 1} pure.`),
].join('\n')

function readFileTool(project: string): Tool {
  return {
    name: 'read_file',
    description: 'Reads one file of the project.',
    schema: {
      json: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      parse: (input) => input,
    },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    async run(input) {
      const { path } = input as { readonly path: string }
      return { content: [{ type: 'text', text: await readProjectFile(project, path) }] }
    },
  }
}

/** The same session, whichever process opens it. */
export function openSession({ url, project, home }: Place, open: OpenSession): Promise<Session> {
  return createSession({
    model: anthropicModel({
      model: 'claude-opus-5-5',
      apiKey: 'none needed',
      baseURL: url,
      thinking: { type: 'adaptive' },
    }),
    system: SYSTEM,
    tools: [readFileTool(project)],
    plugins: [tidy],
    store: fileStore({ home, project }),
    cwd: project,
    open,
  })
}
