export { type Imported, importClaudeCode } from './claude-code.js'
