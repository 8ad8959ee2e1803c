import { it } from 'vitest'
import { checkPlugin } from './check-plugin.js'
import { folding } from './honest-plugins.js'
it('many', async () => {
  const r = await checkPlugin(folding as never, { runs: 1, seed: 413 }, { thinking: { type: 'adaptive' } })
  for (const f of r.findings) console.log(JSON.stringify(f))
}, 400000)
