export type { InboxItem } from './change/inbox.js'
export type { FileEdit, Group } from './change/workspace.js'
export { dream } from './dream.js'
export { type DreamPhase, type DreamStatus, readStatus } from './dreaming/status.js'
export { type Folders, type MemoryFolder, openFolders, type Scope } from './folders/memory-folder.js'
export { type Evidence, type Gone, MEMORY_TYPES, type Memory, type MemoryType, type Source } from './memory/memory.js'
export type { Imported, PurgeReport } from './person/change-memory.js'
export {
  formatCommit,
  formatFile,
  formatInbox,
  formatView,
  MEMORY_WORDS,
  runMemoryWords,
} from './person/memory-words.js'
export {
  type AddOptions,
  type CommitView,
  type InboxView,
  type Memories,
  type MemoriesOptions,
  type MemoryView,
  openMemories,
} from './person/open-memories.js'
export type { Finding } from './person/verify.js'
export type { Author, Cause, Commit, Consent, FileChanges, FileDiff } from './repository/types.js'
export type { DreamDue, DreamFlag, DreamOptions } from './settings/settings.js'
