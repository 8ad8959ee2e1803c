// Goes one journey, the module in the arguments, and writes the source files in which a function was called meanwhile.
// What is called before, and what runs only because a module is loaded, does not count.

import { Session } from 'node:inspector'
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

register('./hooks.mjs', import.meta.url)

const inspector = new Session()
inspector.connect()
inspector.post('Profiler.enable')
inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** @type {{ prepare: () => Promise<() => Promise<void>> }} */
const { prepare } = await import(pathToFileURL(process.argv[2] ?? '').href)
const run = await prepare()
takeCoverage()
await run()
process.stdout.write(JSON.stringify(takeCoverage()), () => process.exit())

/** The files with a call since the last time that this was asked. */
function takeCoverage() {
  /** @type {string[]} */
  const urls = []
  inspector.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error
    for (const { url, functions } of result) if (functions.some(isCalled(functions))) urls.push(url)
  })
  return urls
}

/**
 * Without what stands for the module itself: the function without a name that spans all others.
 * @param {readonly import('node:inspector').Profiler.FunctionCoverage[]} functions
 * @returns {(each: import('node:inspector').Profiler.FunctionCoverage) => boolean}
 */
function isCalled(functions) {
  const end = Math.max(...functions.map(({ ranges }) => ranges[0]?.endOffset ?? 0))
  return ({ functionName, ranges: [range] }) => {
    if (!range || range.count === 0) return false
    return functionName !== '' || range.startOffset !== 0 || range.endOffset !== end
  }
}
