import { handlerContext } from '../hooks/handler-context.js'
import { NacreError } from '../nacre-error.js'
import type { Runtime } from './runtime.js'

/** Runs a command of a plugin. */
export async function runCommand(runtime: Runtime, name: string, args: string): Promise<string> {
  const { kit, hooks, status, session, notes } = runtime
  const found = kit.commands().find(({ item }) => item.name === name)
  if (!found) {
    const known = kit.commands().map(({ item }) => item.name)
    throw new NacreError('NOT_FOUND', `There is no command '${name}'. Known: ${known.join(', ') || 'none'}.`)
  }
  const { context, end } = handlerContext(session, hooks, found.owner, status.signal)
  const text = await found.item.run(args, context)
  notes.give(found.owner, end())
  return text
}
