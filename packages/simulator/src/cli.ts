#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { offline, recorded, type Simulator, startSimulator } from './index.js'

interface Options {
  readonly port: number
  readonly model: string
  readonly ledger?: string
  readonly pace: number
  readonly lenientThinking?: boolean
  readonly cacheEdits?: boolean
}

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

const program = new Command('nacre-simulator')
  .description('A Messages API on loopback, without a key: the same checks, errors, streams and prompt cache.')
  .option('-p, --port <number>', 'port to listen on; 0 takes a free one', wholeNumber, 0)
  .option('-m, --model <name>', "what answers: 'offline', or the path of a recorded session (JSON lines)", 'offline')
  .option('-l, --ledger <file>', 'append a line of JSON for each request, with its tokens and dollars')
  .option('--pace <ms>', 'milliseconds between two events of a stream', wholeNumber, 0)
  .option('--lenient-thinking', 'take thinking on a changed prefix, as accounts made before 2026-08-31 do')
  .option('--cache-edits', 'switch on the cache_edits extension, which is no part of the public API')
  .addHelpText(
    'after',
    `
Examples:
  npx @nacre/simulator --port 8787
  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_API_KEY=any my-agent
  curl http://127.0.0.1:8787/simulator/ledger
  curl -d '{"advance":300000}' http://127.0.0.1:8787/simulator/clock
  curl -d '{"kind":"overloaded","times":2}' http://127.0.0.1:8787/simulator/faults`,
  )
  .action(run)

async function run(options: Options): Promise<void> {
  const model = options.model === 'offline' ? offline() : recorded(options.model)
  const simulator = await startSimulator({
    port: options.port,
    model,
    ...(options.ledger !== undefined && { ledger: options.ledger }),
    ...(options.lenientThinking && { account: { thinkingBinding: 'lenient' } }),
    details: {
      pace: options.pace,
      extensions: options.cacheEdits ? ['cache-edits'] : [],
      report: (error) => process.stderr.write(`${error.message}\n`),
    },
  })
  process.stdout.write(`Listening on ${simulator.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(simulator))
}

async function stop(simulator: Simulator): Promise<void> {
  const { requests, dollars, hitRate } = simulator.ledger.totals()
  await simulator.close()
  process.stdout.write(
    `${requests} requests, $${dollars.toFixed(4)}, ${(hitRate * 100).toFixed(1)}% of input read from the cache\n`,
  )
}

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`nacre-simulator: ${error.message}\n`)
  process.exitCode = 1
})
