import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** A real Chromium: the one that comes from npm where it runs, elsewhere the Chrome that is installed. */
export async function launchChromium(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome' })
  return chromium.launch({ executablePath: await bundled.executablePath(), args: bundled.args })
}
