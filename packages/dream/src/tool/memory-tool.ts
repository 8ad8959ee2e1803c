import type { Awaitable, Id, Tool, ToolCall, ToolContext } from '@nacre/core'
import { DRAFT_FORM } from './draft-file.js'
import { MEMORY_TOOL, type MemoryCommand, memorySchema, ROOT } from './memory-command.js'

/** Carries out commands for one task beside the conversation. */
interface MemoryTask {
  /** Throws with words for the model. */
  perform(command: MemoryCommand): Awaitable<string>
}

/** Tells the calls of tasks beside the conversation from those of the conversation itself. */
export interface MemoryTasks {
  open(task: MemoryTask): { allow(call: ToolCall): boolean; close(): void }
  of(call: Id): MemoryTask | undefined
}

export function createMemoryTasks(): MemoryTasks {
  const tasks = new Map<Id, MemoryTask>()
  return {
    open(task) {
      const calls = new Set<Id>()
      let isOpen = true
      return {
        allow(call) {
          if (!isOpen || call.name !== MEMORY_TOOL) return false
          calls.add(call.id)
          tasks.set(call.id, task)
          return true
        },
        close() {
          isOpen = false
          for (const id of calls) tasks.delete(id)
        },
      }
    },
    of: (call) => tasks.get(call),
  }
}

const DESCRIPTION = `Long-term memory: short files that later sessions read. ${ROOT} belongs to this project, ${ROOT}/person to the user in every project. What fits a prompt is shown by itself; use this to look further, and to save what the user asks to have remembered.

- view lists ${ROOT} or shows a file. search finds memories by words.
- create writes a new one, in this form:
${DRAFT_FORM}
- The quote is copied to the letter from what the user said, and the file says nothing that the user did not say. Never saved: what the code or its history shows, the state of a task, secrets, words of others.
- str_replace and insert reword one; what it says has to stay. Where the user has changed their mind, create the new one and supersede the old one. delete archives. Memories that the user has pinned are the user's to change.`

/** The tool of the conversation. It is in the list from the start, so that no task changes the prefix. */
export function memoryTool(
  tasks: MemoryTasks,
  conversation: (command: MemoryCommand, context: ToolContext) => Promise<string>,
): Tool<MemoryCommand> {
  return {
    name: MEMORY_TOOL,
    description: DESCRIPTION,
    schema: memorySchema,
    // In the sense of permissions: nothing but this package's own folder is written, by rules of its own, and every
    // change of it can be undone.
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    isCompactable: true,
    async run(command, context) {
      try {
        const task = tasks.of(context.callId)
        const text = await (task ? task.perform(command) : conversation(command, context))
        return { content: [{ type: 'text', text }] }
      } catch (error) {
        return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
      }
    },
  }
}
