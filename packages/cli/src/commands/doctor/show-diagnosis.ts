import { EXIT } from '../../exit-codes.js'
import { diagnose } from '../../session/diagnose/diagnose.js'
import type { Diagnosis } from '../../session/session-controls.js'
import type { Terminal } from '../../terminal.js'

const PATIENCE = 30_000

/** Prints what was looked at; exit code 1 where something failed, 0 with warnings alone. */
export async function showDiagnosis(terminal: Terminal, isJson: boolean): Promise<number> {
  const found = await diagnose(terminal, AbortSignal.timeout(PATIENCE))
  terminal.stdout.write(`${isJson ? JSON.stringify(found, null, 2) : found.map(lines).join('\n')}\n`)
  return found.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.done
}

function lines({ name, status, detail, remedy }: Diagnosis): string {
  const head = `${status.padEnd(7)}  ${name}: ${detail}`
  return remedy === undefined ? head : `${head}\n         ${remedy}`
}
