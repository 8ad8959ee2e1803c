export { type Agents, agents, createAgents } from './agents.js'
export type { AgentType, DefinitionProblem, FoundTypes } from './definitions/agent-type.js'
export { findAgentTypes } from './definitions/definitions.js'
export {
  type Mailbox,
  type MailboxOptions,
  type MailLog,
  type MailRecord,
  type Message,
  openMailbox,
} from './messages/mailbox.js'
export { listenForMessages, type SocketListener, sendToSocket, socketPath } from './messages/socket.js'
export type { AgentEffects, AgentLimits, AgentsFlag, AgentsOptions, TeamMembership } from './settings/settings.js'
export type { LiveAgent } from './team/agent-life.js'
export type { Letter } from './team/correspondence.js'
export type { StructuredMessage } from './team/post.js'
export type { AgentRecord, AgentResult, AgentState, KeptWorktree } from './team/roster.js'
export type { AgentStatus, AgentWishes, StartRequest, Team } from './team/team.js'
