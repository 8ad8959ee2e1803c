import { createAnthropic } from '@ai-sdk/anthropic'
import { ChatAnthropic } from '@langchain/anthropic'
import { tool as aiTool, generateText, stepCountIs, streamText } from 'ai'
import { type AgentMiddleware, anthropicPromptCachingMiddleware, createAgent, tool as langchainTool } from 'langchain'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, type Simulator, scripted } from '../src/index.js'
import { callOf } from './support/conversation.js'
import { simulate, words } from './support/simulate.js'

const CALLS = 20
const SYSTEM = `You work through pages. ${words(1_200)}`
const PROMPT = 'Read all pages.'
const pageInput = z.object({ page: z.number() })

/** Asks for one page after the other until it has seen them all. */
const reader = scripted((turn: ModelTurn) => {
  const read = turn.messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result')).length
  return read < CALLS ? ['Next.', callOf('read_page', { page: read })] : `All ${read} pages read.`
})

/** What a page says, and a list of the pages that were asked for. */
function book() {
  const pages: number[] = []
  const read = ({ page }: { page: number }) => {
    pages.push(page)
    return words(60, `page${page}`)
  }
  return { pages, read }
}

function expectWholeRun(simulator: Simulator, pages: readonly number[], text: string): void {
  expect(pages).toEqual(Array.from({ length: CALLS }, (_, page) => page))
  expect(text).toBe(`All ${CALLS} pages read.`)
  const totals = simulator.ledger.totals()
  expect([totals.requests, totals.failed]).toEqual([CALLS + 1, 0])
  // Each request but the first reads what the one before it wrote: system, tools and all earlier pages.
  expect(totals.read).toBeGreaterThan(20 * 1_200)
  expect(totals.hitRate).toBeGreaterThan(0.8)
}

describe('the AI SDK', () => {
  /** The marker that the provider offers for the last message of each step. */
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' as const } } }

  async function settings() {
    const { simulator } = await simulate({ model: reader })
    const { pages, read } = book()
    const anthropic = createAnthropic({ baseURL: `${simulator.url}/v1`, apiKey: 'key' })
    const run = {
      model: anthropic('claude-opus-5-5'),
      instructions: SYSTEM,
      prompt: PROMPT,
      providerOptions: cached,
      tools: { read_page: aiTool({ description: 'Reads a page.', inputSchema: pageInput, execute: read }) },
      stopWhen: stepCountIs(CALLS + 1),
      maxRetries: 0,
    }
    return { simulator, pages, run }
  }

  it('runs a loop of tools', async () => {
    const { simulator, pages, run } = await settings()
    const { text, steps, totalUsage } = await generateText(run)
    expect(steps).toHaveLength(CALLS + 1)
    expectWholeRun(simulator, pages, text)
    expect(totalUsage.inputTokenDetails.cacheReadTokens).toBe(simulator.ledger.totals().read)
  })

  it('runs a loop of tools over streams', async () => {
    const { simulator, pages, run } = await settings()
    const result = streamText(run)
    let last = ''
    for await (const part of result.fullStream) {
      if (part.type === 'start-step') last = ''
      if (part.type === 'text-delta') last += part.text
      if (part.type === 'error') throw part.error
    }
    expectWholeRun(simulator, pages, last)
  })
})

describe('LangChain', () => {
  async function agent(streaming: boolean) {
    const { simulator } = await simulate({ model: reader })
    const { pages, read } = book()
    const model = new ChatAnthropic({
      model: 'claude-opus-5-5',
      apiKey: 'key',
      anthropicApiUrl: simulator.url,
      maxRetries: 0,
      maxTokens: 2_000,
      streaming,
    })
    const readPage = langchainTool(read, { name: 'read_page', description: 'Reads a page.', schema: pageInput })
    const made = createAgent({
      model,
      tools: [readPage],
      systemPrompt: SYSTEM,
      // Its own type does not stand up to `exactOptionalPropertyTypes`.
      middleware: [anthropicPromptCachingMiddleware() as AgentMiddleware],
    })
    return { simulator, pages, made }
  }

  it.each([
    ['whole messages', false],
    ['streams', true],
  ] as const)('runs an agent over %s', async (_, streaming) => {
    const { simulator, pages, made } = await agent(streaming)
    const { messages } = await made.invoke({ messages: [{ role: 'user', content: PROMPT }] }, { recursionLimit: 100 })
    expectWholeRun(simulator, pages, String(messages.at(-1)?.text))
  })
})
