import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { NacreError } from '@nacre/core'
import { EXIT } from '../../exit-codes.js'
import { dataPlace } from '../../session/data-place.js'
import { findProjectRoot } from '../../settings/find-project-root.js'
import { loadSettings } from '../../settings/load-settings.js'
import type { Terminal } from '../../terminal.js'
import { listTrusted } from '../../trust/list-trusted.js'
import { trust } from '../../trust/trust.js'
import { trustedBy } from '../../trust/trusted-by.js'
import { untrust } from '../../trust/untrust.js'
import { whatNeedsTrust } from '../../trust/what-needs-trust.js'

export interface TrustChoice {
  readonly show?: boolean
  readonly list?: boolean
  readonly remove?: boolean
}

/** Trusts a folder, takes that back, or shows what it is about. */
export async function changeTrust(terminal: Terminal, named: string | undefined, choice: TrustChoice): Promise<number> {
  const data = dataPlace(terminal)
  if (choice.list) return list(terminal, data)
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
  terminal.stdout.write(`${[names, ...shown].join('\n')}\n`)
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

async function list(terminal: Terminal, data: string): Promise<number> {
  const records = await listTrusted(data)
  const lines = records.map(({ folder, time }) => `${new Date(time).toISOString().slice(0, 10)}  ${folder}`)
  terminal.stdout.write(lines.length === 0 ? 'No folder is trusted.\n' : `${lines.join('\n')}\n`)
  return EXIT.done
}
