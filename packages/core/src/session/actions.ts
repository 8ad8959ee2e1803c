/**
 * What a session does besides answering: half of the code. Who only talks never needs it, so it is loaded with the first
 * plugin, or when it is first asked for.
 */
export { createFlags } from '../flags/flags.js'
export { runAsk } from '../fork/run-ask.js'
export { runFork } from '../fork/run-fork.js'
export { createDispatcher } from '../hooks/dispatcher.js'
export { loadPlugins } from '../plugins/load-plugins.js'
export { createRelief } from '../relief/create-relief.js'
export { accounting } from '../tokens/accounting.js'
export { createBackground } from './background.js'
export { clear } from './clear.js'
export { inspect } from './inspect.js'
export { createNotes } from './notes.js'
export { copyOf } from './open-copy.js'
export { openKept } from './open-kept.js'
export { reliefPartsOf } from './relief-parts-of.js'
export { rewind } from './rewind.js'
export { runCommand } from './run-command.js'
export { setModel } from './set-model.js'
export { undo } from './undo.js'
