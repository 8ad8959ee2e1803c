export type { Author, Cause, Commit, Consent, FileChanges, FileDiff } from './folder/types.js'
