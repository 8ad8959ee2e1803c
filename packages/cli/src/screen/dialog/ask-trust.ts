import { plainLines } from '../text/plain-lines.js'
import type { Dialogs } from './dialogs.js'

/** What a folder brings along that would run or be allowed. */
export interface TrustQuestion {
  readonly folder: string
  readonly items: readonly { readonly what: string; readonly file: string }[]
}

/** Asks whether what a folder brings may take effect. A person who leaves has said no. */
export async function askTrust(
  dialogs: Dialogs,
  { folder, items }: TrustQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const picked = await dialogs.choose(
    {
      title: `Do you trust ${folder}?`,
      body: (width) => [
        ...plainLines('It brings along what would run on this machine or be allowed without asking:', width),
        ...items.flatMap(({ what, file }) => plainLines(`- ${what} (${file})`, width, 'dim')),
      ],
      options: [
        { label: 'No, go on without it', key: 'n' },
        { label: 'Yes, from now on', key: 'y' },
      ],
      leaving: 'Esc says no',
    },
    signal,
  )
  return picked?.options[0] === 1
}
