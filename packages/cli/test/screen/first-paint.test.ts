import xterm from '@xterm/headless'
import { expect, it } from 'vitest'
import { firstPaint } from '../../src/screen/paint/first-paint.js'
import { editorWith } from '../../src/screen/state/editor.js'
import { screenStore } from '../../src/screen/state/screen-state.js'
import { stage } from '../session/stage.js'

it('paints what is typed before anything is loaded, and leaves nothing of it behind', async () => {
  const { terminal, out } = await stage()
  const store = screenStore()
  const unpaint = firstPaint({ store, terminal, hasColour: false })
  store.change({ editor: editorWith('one\ntwo') })
  expect(await shown(out())).toEqual(['❯ one', '  two', 'Opening the session …'])
  unpaint()
  expect(await shown(out())).toEqual([])
  // Clearing from the top of a screen would put it into the scrollback of some terminals.
  expect(out().split('\u001b[J')).toHaveLength(2)
})

/** The lines of a terminal, without the empty ones, after all of it was written. */
async function shown(written: string): Promise<string[]> {
  const view = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  await new Promise<void>((resolve) => view.write(written.replaceAll('\n', '\r\n'), resolve))
  const { active } = view.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
  return lines.filter((line) => line !== '')
}
