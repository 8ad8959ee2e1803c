/**
 * A simulator in a process of its own that tells its heap after a forced collection. Run with `--expose-gc`.
 * The first argument is the module to take it from, the second the ledger's file.
 */
const [module = '', ledger = ''] = process.argv.slice(2)
const { scripted, startSimulator } = await import(module)

const simulator = await startSimulator({ model: scripted(() => 'ok'), ledger })
process.send?.(simulator.url)

process.on('message', () => {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed, requests: simulator.ledger.totals().requests })
})
process.on('disconnect', () => process.exit())
