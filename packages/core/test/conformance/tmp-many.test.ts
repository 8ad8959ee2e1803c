import { it } from 'vitest'
import { checkPlugin } from './check-plugin.js'
import { clearing, folding, noting } from './honest-plugins.js'
const thinking = { thinking: { type: 'adaptive' } } as const
it('many', async () => {
  for (const [plugin, seed, adapter] of [[folding, 100, {}], [clearing, 200, {}], [noting, 300, {}], [folding, 400, thinking], [clearing, 500, thinking]] as const) {
    const started = performance.now()
    const cpu = process.cpuUsage()
    const r = await checkPlugin(plugin as never, { runs: 18, seed }, adapter)
    const used = process.cpuUsage(cpu)
    console.log(plugin.name, seed, r.requests, 'wall', Math.round(performance.now() - started), 'cpu', Math.round(used.user / 1000 + used.system / 1000))
    for (const f of r.findings) console.log(JSON.stringify(f))
  }
}, 400000)
