import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSession, definePlugin, type FlagState, memoryStore, NacreError } from '@nacre/core'
import { sessionPlugins } from '../plugins/session-plugins.js'
import { diagnose } from '../session/diagnose.js'
import type { Diagnosis } from '../session/opened-session.js'
import { dataPlace } from '../session/project-store.js'
import { silentModel } from '../session/silent-model.js'
import { findProjectRoot, loadSettings } from '../settings/load-settings.js'
import { type LoadedSettings, settingsInForce } from '../settings/settings.js'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { whatNeedsTrust } from '../trust/decide-trust.js'
import { isTrusted, listTrusted, trust, trustedBy, untrust } from '../trust/trusted-folders.js'

const PATIENCE = 30_000

/** `nacre doctor`: prints what was looked at; exit code 1 where something failed, 0 with warnings alone. */
export async function showDiagnosis(terminal: Terminal, isJson: boolean): Promise<number> {
  const found = await diagnose(terminal, AbortSignal.timeout(PATIENCE))
  terminal.stdout.write(`${isJson ? JSON.stringify(found, null, 2) : found.map(diagnosisLines).join('\n')}\n`)
  return found.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.done
}

function diagnosisLines({ name, status, detail, remedy }: Diagnosis): string {
  const head = `${status.padEnd(7)}  ${name}: ${detail}`
  return remedy === undefined ? head : `${head}\n         ${remedy}`
}

/** `nacre flags`: prints the flags of the plugins that a session here would have. */
export async function listFlags(terminal: Terminal, isJson: boolean): Promise<number> {
  const loaded = await loadSettings(terminal)
  const data = dataPlace(terminal)
  const trusted = await isTrusted(data, loaded.root)
  const settings = settingsInForce(loaded, trusted)
  const asked = { isAlone: true, report: () => undefined, makeModel: silentModel }
  const place = { terminal, loaded, data, isTrusted: trusted, settings, overrides: {} }
  const { plugins } = await sessionPlugins({ ...place, ...asked })
  const session = await createSession({
    model: silentModel(),
    store: memoryStore(),
    // Their flags are meant and nothing else: no server starts and no hook runs.
    plugins: plugins.map(({ name, partOf, flags = {} }) =>
      definePlugin<string>({ name, flags, ...(partOf !== undefined && { partOf }), setup: () => ({}) }),
    ),
    details: { flagSources: { settings: settings.flags, environment: terminal.env } },
  })
  const listed = session.flags.list().map((flag) => ({ ...flag, from: originOf(flag, loaded, trusted) }))
  await session.close()
  const width = Math.max(...listed.map(({ name }) => name.length))
  const lines = listed.map(({ name, value, from }) => `${name.padEnd(width)}  ${value ? 'on ' : 'off'}  ${from}`)
  terminal.stdout.write(`${isJson ? JSON.stringify(listed, null, 2) : lines.join('\n')}\n`)
  return EXIT.done
}

/** The file, where one sets it. */
function originOf({ name, from }: FlagState, { files }: LoadedSettings, isTrusted: boolean): string {
  if (from === 'environment') return 'NACRE_FLAGS'
  const counted = files.filter(({ level }) => level === 'user' || isTrusted)
  return from === 'settings' ? (counted.findLast(({ settings }) => name in (settings.flags ?? {}))?.path ?? from) : from
}

export interface TrustChoice {
  readonly show?: boolean
  readonly list?: boolean
  readonly remove?: boolean
}

/** `nacre trust`: trusts a folder, takes that back, or shows what it is about. */
export async function changeTrust(terminal: Terminal, named: string | undefined, choice: TrustChoice): Promise<number> {
  const data = dataPlace(terminal)
  if (choice.list) return showTrusted(terminal, data)
  const folder = named === undefined ? findProjectRoot(terminal.cwd, terminal.home) : resolve(terminal.cwd, named)
  if (choice.remove) {
    const wasTrusted = await untrust(data, folder)
    terminal.stdout.write(wasTrusted ? `${folder} is no longer trusted.\n` : `${folder} was not trusted.\n`)
    return EXIT.done
  }
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new NacreError('NOT_FOUND', `There is no folder ${folder}.`)
  }
  const items = await whatNeedsTrust(await loadSettings({ ...terminal, cwd: folder }))
  const shown = items.map(({ what, file }) => `  ${what}  (${file})`)
  const names = items.length === 0 ? `${folder} names nothing that needs trust yet.` : `${folder} names:`
  terminal.stdout.write(`${cleanText([names, ...shown].join('\n'))}\n`)
  if (choice.show) {
    const by = await trustedBy(data, folder)
    terminal.stdout.write(
      by === undefined ? 'It is not trusted. Trust it with: nacre trust\n' : `It is trusted, by ${by}.\n`,
    )
    return EXIT.done
  }
  const { folder: trusted } = await trust(data, folder, terminal.now())
  terminal.stdout.write(
    `${trusted} is trusted now, with everything below it. Take it back with: nacre trust --remove\n`,
  )
  return EXIT.done
}

async function showTrusted(terminal: Terminal, data: string): Promise<number> {
  const records = await listTrusted(data)
  const lines = records.map(({ folder, time }) => `${new Date(time).toISOString().slice(0, 10)}  ${folder}`)
  terminal.stdout.write(lines.length === 0 ? 'No folder is trusted.\n' : `${cleanText(lines.join('\n'))}\n`)
  return EXIT.done
}
