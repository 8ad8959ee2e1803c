import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkOutcome } from '../src/check-outcome.js'
import { count, money } from '../src/outcome/figures.js'
import { LAYERS, layerWords, type Outcome } from '../src/outcome/outcome.js'
import { painter } from '../src/tell/terminal.js'
import { closingText } from '../src/tell/texts.js'
import { contrasts } from './contrasts.js'
import { launchChromium } from './launch-chromium.js'
import { type Ended, runDemo } from './run-demo.js'

let folder: string
let report: string
let ended: Ended
let outcome: Outcome

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nacre-demo-test-'))
  report = join(folder, 'pages', 'report.html')
  ended = await runDemo(['--json', '--report', report])
  outcome = JSON.parse(ended.stdout || 'null') as Outcome
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function withDream(all: Outcome, changed: Partial<Outcome['memory']['dream']>): Outcome {
  return { ...all, memory: { ...all.memory, dream: { ...all.memory.dream, ...changed } } }
}

function withFollowed(all: Outcome, changed: Partial<Outcome['agents']['followed']>): Outcome {
  return withAgents(all, { followed: { ...all.agents.followed, ...changed } })
}

function withAgents(all: Outcome, changed: Partial<Outcome['agents']>): Outcome {
  return { ...all, agents: { ...all.agents, ...changed } }
}

describe('the story', () => {
  it('ends well, and says nothing but its figures', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.version).toBe(1)
  })

  it.each(LAYERS)('fails when there is nothing of: %s', (layer) => {
    const firings = outcome.firings.filter((firing) => firing.layer !== layer)
    expect(() => checkOutcome({ ...outcome, firings })).toThrow(`'${layerWords[layer].name}'`)
  })

  it.each<[string, (outcome: Outcome) => Outcome]>([
    ['an undo gives back the very bytes', (all) => ({ ...all, byHand: { ...all.byHand, isUndone: false } })],
    ['was out of view', (all) => ({ ...all, byHand: { ...all.byHand, isOutOfView: false } })],
    ['word for word', (all) => ({ ...all, byHand: { ...all.byHand, recalled: 'nothing' } })],
    ['a resume gives back', (all) => ({ ...all, byHand: { ...all.byHand, killed: { sent: 2, same: 1 } } })],
    ['is extracted', (all) => ({ ...all, memory: { ...all.memory, extracted: [] } })],
    ['sent the memory', (all) => ({ ...all, memory: { ...all.memory, isBroughtBack: false } })],
    ['sent without it', (all) => ({ ...all, memory: { ...all.memory, isLeftOut: false } })],
    ['two memories that say the same', (all) => withDream(all, { merged: 0 })],
    ['waits for the person', (all) => withDream(all, { waiting: [] })],
    ['every fact from before the dream', (all) => withDream(all, { kept: all.memory.dream.facts - 1 })],
    [
      'memory files are what they were',
      (all) => ({ ...all, memory: { ...all.memory, undo: { files: 7, changed: 3, same: 6 } } }),
    ],
    [
      'one writes what they share',
      (all) => withAgents(all, { forks: all.agents.forks.map((fork) => ({ ...fork, written: 9 })) }),
    ],
    [
      'reads all that the first one',
      (all) => withAgents(all, { forks: all.agents.forks.map((fork) => ({ ...fork, read: 9 })) }),
    ],
    [
      'what the bill says',
      (all) => withAgents(all, { forks: all.agents.forks.map((fork) => ({ ...fork, counted: 9 })) }),
    ],
    ['a message reaches', (all) => withAgents(all, { message: { ...all.agents.message, heardAt: 0 } })],
    ['writes back', (all) => withAgents(all, { message: { ...all.agents.message, reply: '' } })],
    ['the time that it was given', (all) => withAgents(all, { late: { ...all.agents.late, lived: 10 } })],
    ['that is late says so', (all) => withAgents(all, { late: { ...all.agents.late, result: 'It is closed.' } })],
    ['is folded by the compaction', (all) => withFollowed(all, { isStartFolded: false })],
    ['names the agent that runs', (all) => withFollowed(all, { isNamed: false })],
    ['starts no agent again', (all) => withFollowed(all, { starts: 2 })],
    ['is read after the compaction', (all) => withFollowed(all, { isRead: false })],
    ['heeds the message', (all) => withFollowed(all, { result: '300 orders priced again: 0 orders are wrong.' })],
    ['too small', (all) => ({ ...all, without: { ...all.story, isFixed: false } })],
    ['too small', (all) => ({ ...all, without: { ...all.without, refusal: 'prompt is too long' } })],
    ['before it is sent', (all) => ({ ...all, without: { ...all.without, failed: 1 } })],
    ['tests that pass', (all) => ({ ...all, story: { ...all.story, isFixed: false } })],
    ['twice the small window', (all) => ({ ...all, story: { ...all.story, window: 60_000 } })],
    ['as many requests', (all) => ({ ...all, story: { ...all.story, requests: 3 } })],
    ['shares its cache', (all) => ({ ...all, firings: all.firings.map((each) => ({ ...each, fromCache: 0.1 })) })],
    ['costs less', (all) => ({ ...all, large: [all.large[0], all.large[2], all.large[1]] as Outcome['large'] })],
  ])('fails when a claim does not hold: %s', (words, spoil) => {
    checkOutcome(outcome)
    expect(() => checkOutcome(spoil(outcome))).toThrow(words)
  })

  it('bills what the requests add up to', () => {
    for (const { points, dollars, requests, peak } of [outcome.story, outcome.without, ...outcome.large]) {
      expect(points).toHaveLength(requests)
      expect(Math.max(...points.map(({ tokens }) => tokens))).toBe(peak)
      expect(points.at(-1)?.dollars).toBeLessThanOrEqual(dollars)
    }
  })

  it('closes with tables, sentences and a chart within the width of the terminal', () => {
    const text = closingText(outcome, painter(false), 80)
    for (const layer of LAYERS) expect(text).toMatch(new RegExp(`^${layerWords[layer].name} +\\d+ `, 'm'))
    expect(text).toMatch(/^no layers +36,000 .* refused$/m)
    const chart = text.split('\n').filter((line) => / [┤└]/.test(line))
    expect(chart).toHaveLength(15)
    for (const line of chart) expect(line.length).toBeLessThanOrEqual(80)
    expect(chart.join('')).toMatch(/●.*×|×.*●/)
  })

  it.each([40, 80])('closes within %i columns', (columns) => {
    for (const line of closingText(outcome, painter(false), columns).split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(columns)
  })

  it('counts what is cleared as the next request shows it', () => {
    const cleared = outcome.firings.filter(({ layer }) => layer === 'cleared')
    for (const { request, freed } of cleared) {
      const [before, after] = outcome.story.points.slice(request - 1, request + 1)
      const fall = (before?.tokens ?? 0) - (after?.tokens ?? 0)
      // Beside what was cleared, the next request has a call and its result more; and it is an estimate.
      expect(freed).toBeGreaterThan(0.9 * fall)
      expect(freed).toBeLessThan(fall + 3_000)
    }
  })

  it('says of the notes what was billed for them while the work was done', () => {
    const noted = outcome.firings.filter(({ layer, request }) => layer === 'noted' && request <= outcome.story.requests)
    expect(outcome.story.beside).toBeCloseTo(
      noted.reduce((sum, { dollars }) => sum + dollars, 0),
      10,
    )
    expect(outcome.large.map(({ beside }) => beside)).toEqual([0, 0, 0])
  })

  it('plays memory after the work, in words that the person said, and shows nothing of it in the chart', () => {
    const layers = ['extracted', 'remembered', 'dreamt', 'restored']
    const own = outcome.firings.filter(({ layer }) => layers.includes(layer))
    expect(Math.min(...own.map(({ request }) => request))).toBeGreaterThan(outcome.story.requests)
    expect(outcome.memory.extracted.map(({ quote }) => quote).sort()).toEqual([
      'We always send refunds on Mondays.',
      'We always send refunds on Wednesdays.',
      'We never deploy the shop on Fridays.',
    ])
    expect(outcome.memory.dream.waiting).toEqual([expect.stringMatching(/Mondays and .*Wednesdays contradict/)])
  })

  it('plays agents after the work: two forks send the same conversation, and one of them writes what is new of it', () => {
    const { forks, late, followed } = outcome.agents
    expect(forks.map(({ requests }) => requests)).toEqual([1, 1])
    const [one, other] = forks.map(({ read, written }) => read + written)
    expect(one).toBe(other)
    // Most of the tail was in the cache already; what is left is the last answer of the conversation.
    expect(Math.max(...forks.map(({ written }) => written))).toBeLessThan(0.1 * (one ?? 0))
    expect(late).toMatchObject({ deadline: 1_000, bill: { name: 'sunday' } })
    expect(followed.bill.requests).toBe(4)
    const own = outcome.firings.filter(({ layer }) => ['forked', 'written', 'ended', 'followed'].includes(layer))
    expect(own.map(({ layer }) => layer)).toEqual(['forked', 'written', 'ended', 'followed'])
    expect(Math.min(...own.map(({ request }) => request))).toBeGreaterThan(outcome.story.requests)
  })

  it('names the files of the shop from where the shop is', () => {
    const full = outcome.firings.find(({ layer }) => layer === 'full')?.receipt
    expect(full?.restored.map(({ what }) => what)).toContain(join('src', 'coupons.mjs'))
  })
})

describe('the page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  async function open(colorScheme: 'light' | 'dark', width: number): Promise<{ page: Page; trouble: string[] }> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
    const trouble: string[] = []
    page.on('pageerror', (error) => trouble.push(error.message))
    page.on('console', (message) => trouble.push(message.text()))
    page.on('request', (request) => void (request.url().startsWith('file:') || trouble.push(request.url())))
    await page.goto(`file://${report}`)
    return { page, trouble }
  }

  it('is one file that asks for nothing else', async () => {
    const { page, trouble } = await open('light', 1_000)
    expect(trouble).toEqual([])
    expect(await page.locator('[src], link[href]').count()).toBe(0)
    expect(await readFile(report, 'utf8')).not.toMatch(/https?:\/\/(?!www\.w3\.org)[^"'` ]+\.(js|css|woff2?|png)/)
  })

  it('shows the figures of the story', async () => {
    const { page } = await open('light', 1_000)
    const text = await page.locator('body').textContent()
    for (const figure of [
      count(outcome.story.peak),
      money(outcome.story.dollars),
      money(outcome.large[0]?.dollars ?? 0),
      ...outcome.agents.forks.map(({ read }) => count(read)),
      outcome.agents.late.result,
      outcome.agents.followed.result,
    ])
      expect(text).toContain(figure)
    expect(await page.locator('tbody').last().locator('tr').count()).toBe(outcome.firings.length)
  })

  it('draws a line for each run, and a dot for each time that a layer fired', async () => {
    const { page } = await open('light', 1_000)
    const chart = page.locator('#context-chart svg')
    const lines = await chart
      .locator('g[aria-label="line"] path')
      .evaluateAll((paths) => paths.map((path) => (path.getAttribute('d') ?? '').split('L').length))
    const runs = [outcome.large[0], outcome.without, outcome.large.at(-1), outcome.story]
    expect(lines).toEqual(runs.map((run) => run?.requests))
    const dots = outcome.firings.filter(({ layer, request }) => request <= outcome.story.requests && layer !== 'undone')
    expect(await chart.locator('g[aria-label="dot"] circle').count()).toBe(dots.length)
  })

  it('tells of a request to whoever points at it', async () => {
    const { page } = await open('light', 1_000)
    await page.locator('#context-chart svg').hover({ position: { x: 400, y: 200 } })
    await expect.poll(() => page.locator('#context-chart g[aria-label="tip"]').textContent()).toMatch(/tokens|become/)
  })

  it.each(['light', 'dark'] as const)('is readable on %s paper: words 4.5 to 1, marks 3 to 1', async (scheme) => {
    const { page } = await open(scheme, 1_000)
    const found = await contrasts(page)
    expect(found.words.length).toBeGreaterThan(50)
    expect(found.words.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    expect(found.marks.length).toBeGreaterThan(10)
    expect(found.marks.filter(({ ratio }) => ratio < 3)).toEqual([])
    expect(found.isDark).toBe(scheme === 'dark')
  })

  it('fits a telephone', async () => {
    const { page } = await open('dark', 360)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const hidden = await page
      .locator('.long th, .long td')
      .evaluateAll((cells) => cells.filter((cell) => cell.getBoundingClientRect().right > 360).length)
    expect(hidden).toBe(0)
  })
})
