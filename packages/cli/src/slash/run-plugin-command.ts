import { isNacreError, type Session } from '@nacre/core'

/** Runs a command of a plugin. What goes wrong in it names the plugin, whatever the plugin says of it. */
export async function runPluginCommand(
  session: Pick<Session, 'command' | 'commands'>,
  name: string,
  args: string,
): Promise<string> {
  try {
    return await session.command(name, args)
  } catch (error) {
    if (isNacreError(error, 'ABORTED')) throw error
    const owner = session.commands().find((command) => command.name === name)?.owner ?? 'unknown'
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`/${name} of the plugin '${owner}' failed: ${reason}`, { cause: error })
  }
}
