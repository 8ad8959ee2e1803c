// What is asked of a summary, against recordings: node bench/floor.mjs --data <folder>, or NACRE_TRANSCRIPTS=<folder>
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { spokenSources } from './floor/spoken-sources.mjs'
import { table } from './table.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const folder = values.data ?? process.env.NACRE_TRANSCRIPTS
const samples = folder === undefined ? undefined : spokenSources(folder)
if (!samples) {
  console.log('The floor of a summary is measured on recordings: name their folder by --data or NACRE_TRANSCRIPTS.')
} else {
  const carriesTooLittle = await judge()
  const kinds = [...new Set(samples.map(({ kind }) => kind))]
  const rows = kinds.map((kind) => [kind, ...['tuned', 'other'].map((half) => taken(carriesTooLittle, kind, half))])
  console.log(table([['taken, of all', 'where it was tuned', 'elsewhere'], ...rows]))
}

/** The judgement is internal to the package, so it is bundled from its source. */
async function judge() {
  const entryPoints = [new URL('../src/summary/carried.ts', import.meta.url).pathname]
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['@nacre/source'],
  })
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`)
  return module.carriesTooLittle
}

function taken(carriesTooLittle, kind, half) {
  const of = samples.filter((sample) => sample.kind === kind && sample.half === half)
  const good = of.filter(({ text, sources }) => carriesTooLittle({ text, isMarked: false }, sources) === undefined)
  return `${good.length} of ${of.length}`
}
