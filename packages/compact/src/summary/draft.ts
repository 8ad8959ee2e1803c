import {
  type AskResult,
  type Block,
  type CompactPlan,
  type Draft,
  type Fold,
  type FoldOptions,
  foldDraft,
  missingMessages,
  type Receipt,
  type Round,
  type Span,
  type Usage,
  type View,
} from '@nacre/core'
import { normalised } from '../text/format.js'
import { estimateFold, roundTexts, shownBlocks, textsIn } from '../view/rounds.js'
import { carriesTooLittle } from './carried.js'
import { findSections, type Section } from './find-sections.js'
import { isUpTo, type SummaryTask } from './offer.js'
import { type AnswerText, brief, readAnswer } from './read-answer.js'
import { pendingTasksSection, sectionTitles, userMessagesSection } from './sections.js'

type Check = Receipt['checks'][number]

/** A summary as a model wrote it, in whatever form. */
export interface WrittenSummary {
  readonly answer: AnswerText
  /** What it covers: less than the task where the whole was too long. */
  readonly span: Span
  /** What the model was shown of the conversation. */
  readonly sent: 'all' | 'part'
  readonly usage: Usage
  /** Told to people. */
  readonly reason: string
  /** What of the span the model has not read, told to the model and in the receipt. */
  readonly cut?: string
}

/** Verifies a summary, mends what can be mended, and makes the fold. Throws where it carries too little to be one. */
export function summaryDraft(task: SummaryTask, plan: CompactPlan, written: WrittenSummary): Draft {
  const { view } = task
  const { span, sent, usage, reason, cut, answer } = written
  const rounds = view.roundsIn(span)
  const titles = sectionTitles(isUpTo(task.need))
  const sources = roundTexts(view, rounds)
  refuseEmpty(answer, titles, sources)
  const paths = checkPaths(answer.text, sources)
  const todos = checkTodos(paths.text, view, titles)
  const text = cut === undefined ? todos.text : `${cut}\n\n${todos.text}`
  const draft = foldDraft(view, span, text, { ...foldOptions(task, plan), reason, spent: usage })
  const messages = checkMessages(answer.text, titles, userMessages(view, rounds), contentOf(draft))
  const checks: readonly Check[] = [
    checkSections(answer.text, titles),
    messages,
    todos.check,
    paths.check,
    ...(answer.isTagged ? [] : [UNTAGGED]),
    ...(task.need.part ? [partCheck(sent)] : []),
    ...(cut === undefined ? [] : [{ name: 'head', ok: false, detail: cut }]),
  ]
  return { ...draft, checks, followed: followed(task, plan) }
}

/** What core measures has notes as well, and is a little more. */
const SURE = 1.05

/** Throws where no summary whatever could be taken: what goes with each is too large already. */
export function refuseHopeless(task: SummaryTask, plan: CompactPlan): void {
  const why = whyTooLarge(task, foldDraft(task.view, task.span, '', foldOptions(task, plan)), SURE)
  if (why !== undefined) throw new Error(`No summary could be taken here. ${why}`)
}

/** Why core would refuse a fold for its size, as far as that can be told before what comes back with it is known. */
export function whyTooLarge({ view, need }: SummaryTask, draft: Draft, margin = 1): string | undefined {
  const span = draft.changes.find((change): change is Fold => change.kind === 'fold')?.span
  const covered = (span ? view.roundsIn(span) : []).reduce((sum, { tokens }) => sum + tokens, 0)
  const { total, threshold } = view.tokens
  const stands = need.tokens(estimateFold(draft))
  if (stands >= covered) return `It is not smaller: ${Math.round(stands)} tokens for the ${covered} that it covers.`
  const after = Math.round(total - covered + stands)
  if (after <= threshold * margin) return undefined
  return `The view would still be above the threshold: ${after} of ${threshold} tokens.`
}

const UNTAGGED: Check = { name: 'tags', ok: false, detail: 'no <summary> around it: all but the draft was taken' }

function partCheck(sent: WrittenSummary['sent']): Check {
  const detail = sent === 'part' ? 'the part alone was sent' : 'all of the view was sent, and the prompt named the part'
  return { name: 'part', ok: true, detail }
}

/** Of the sections that were asked for, those of which a summary makes it likely that it was meant to be one. */
const LIKELY = 3

/** Throws where an answer carries almost nothing of what it is to stand for: it is a remark, a refusal, or goes on with the work. */
function refuseEmpty({ text, isTagged }: AnswerText, titles: readonly string[], sources: readonly string[]): void {
  const sections = findSections(text, titles)
  const titled = sections.filter(({ by }) => by === 'title').length
  const given = {
    text: withoutHeadings(text, sections),
    isMarked: isTagged || titled >= LIKELY || sections.length === titles.length,
  }
  const why = carriesTooLittle(given, sources)
  if (why !== undefined) throw new Error(`The answer is no summary, ${why}: ${brief(text)}`)
}

/** Titles are words that were asked for, and carry nothing. */
function withoutHeadings(text: string, sections: readonly Section[]): string {
  const [first] = sections
  if (!first) return text
  return [text.slice(0, first.start), ...sections.map(({ body, end }) => text.slice(body, end))].join('\n')
}

/** Which of the sections there are. One that is missing is told, and is no reason to throw away what is there. */
function checkSections(summary: string, titles: readonly string[]): Check {
  const found = findSections(summary, titles)
  const numbers = new Set(found.map(({ number }) => number))
  const missing = titles.flatMap((title, index) => (numbers.has(index + 1) ? [] : [`${index + 1} ${title}`]))
  const others = found.filter(({ by }) => by !== 'title').length
  const known =
    others === 0 ? '' : `, ${others} by their ${found.some(({ by }) => by === 'place') ? 'place' : 'number'}`
  const lacking = missing.length === 0 ? '' : missing.length < titles.length ? `, without ${missing.join(', ')}` : ''
  return { name: 'sections', ok: missing.length === 0, detail: `${found.length} of ${titles.length}${known}${lacking}` }
}

/** The wishes that stood in the prompt: those of the plan, and those of the settings behind them. */
function followed({ layer }: SummaryTask, { instructions }: CompactPlan): readonly string[] {
  return [...instructions, layer.settings.instructions].filter((wish) => wish.trim() !== '')
}

function contentOf({ changes }: Draft): string {
  const fold = changes.find((change): change is Fold => change.kind === 'fold')
  return (fold?.content ?? []).map(({ text }) => String(text ?? '')).join('\n')
}

const STANDS =
  'The summary at the beginning stands for the earlier part of this session, which was folded to make room.'

/** The fold of a summary that the API has signed. Nothing in its block can be changed, so what it lacks is said behind it. */
export function signedDraft(
  task: SummaryTask,
  plan: CompactPlan,
  block: Block,
  { usage, prefix }: Pick<AskResult, 'usage' | 'prefix'>,
): Draft {
  const { view, span } = task
  const answer = readAnswer({ text: String(block.content), stop: 'end_turn' })
  const { text } = answer
  const titles = sectionTitles(false)
  const rounds = view.roundsIn(span)
  const sources = roundTexts(view, rounds)
  refuseEmpty(answer, titles, sources)
  const todos = checkTodos(text, view, titles)
  const paths = checkPaths(text, sources)
  const reason = 'summarised by the server'
  const plain = foldDraft(view, span, text, { ...foldOptions(task, plan), reason, spent: usage })
  const fold = plain.changes[0] as Fold
  const [frame, , ...sections] = fold.content
  const lacking = [
    STANDS,
    ...todos.missing.map((todo) => `Still to be done: ${todo}`),
    ...(paths.check.ok ? [] : [`In the summary, ${paths.check.detail}.`]),
    // What a fold begins with says that its text follows; here it stands above.
    ...String(frame?.text).split('\n').slice(1),
  ]
  const behind = [{ type: 'text', text: lacking.join('\n') }, ...sections]
  const words = [text, ...sections.map((section) => String(section.text))].join('\n')
  const messages = checkMessages(text, titles, userMessages(view, rounds), words)
  const checks = [checkSections(text, titles), messages, todos.check, paths.check]
  const changes = [{ ...fold, content: [block, ...behind], as: prefix }]
  return { ...plain, changes, checks, followed: followed(task, plan) }
}

/** What every summary is made into a fold with. */
function foldOptions({ layer }: SummaryTask, { trigger }: CompactPlan): FoldOptions {
  const recall = layer.recall()
  return { trigger, isAutonomous: layer.settings.autonomous, ...(recall !== undefined && { recall }) }
}

/**
 * How many of the user's messages since the last fold the section of user messages quotes, or all of the summary where no
 * such section is to be found, and what became of the others in `content`.
 */
function checkMessages(summary: string, titles: readonly string[], said: readonly string[], content: string): Check {
  const section = findSections(summary, titles).find(({ number }) => number === userMessagesSection)
  const missing = lacking(said, section ? summary.slice(section.body, section.end) : summary)
  const left = lacking(missing, content)
  const where = section ? `section ${userMessagesSection}` : 'the summary'
  const found = `${said.length - missing.length} of ${said.length} in ${where}`
  const added = missing.length > left.length ? `, ${missing.length - left.length} missing were appended` : ''
  const lost = left.length > 0 ? `, ${left.length} found no room and are in the log` : ''
  return { name: 'user messages', ok: left.length === 0, detail: `${found}${added}${lost}` }
}

/** By the same measure as what is appended. */
function lacking(said: readonly string[], text: string): string[] {
  const messages = said.map((words) => ({ entry: '', text: words }))
  return missingMessages(messages, text, Number.POSITIVE_INFINITY, true).kept.map((message) => message.text)
}

/** What a person said in rounds, as the model sees it. */
function userMessages(view: View, rounds: readonly Round[]): string[] {
  return rounds.flatMap(({ entries }) =>
    entries.flatMap((entry) => {
      if (entry.kind !== 'user' || entry.isMeta) return []
      const text = textsIn(shownBlocks(view, entry)).join('\n').trim()
      return text === '' ? [] : [text]
    }),
  )
}

/** Adds the open todos to the section of pending tasks where that lacks them; at the end where there is none. */
function checkTodos(
  summary: string,
  view: Pick<View, 'state'>,
  titles: readonly string[],
): { readonly text: string; readonly missing: readonly string[]; readonly check: Check } {
  const open = openTodos(view)
  const section = findSections(summary, titles).find(({ number }) => number === pendingTasksSection)
  const pending = normalised(section ? summary.slice(section.body, section.end) : summary)
  const missing = open.filter((todo) => !pending.includes(normalised(todo)))
  const detail =
    missing.length === 0 ? `${open.length} open` : `${missing.length} of ${open.length} open ones were added`
  const check = { name: 'todos', ok: true, detail }
  return { text: missing.length > 0 ? added(summary, section?.end, missing) : summary, missing, check }
}

function added(summary: string, end: number | undefined, todos: readonly string[]): string {
  const lines = todos.map((todo) => `- ${todo}`).join('\n')
  if (end === undefined) return `${summary.trimEnd()}\n\nStill to be done:\n${lines}`
  return `${summary.slice(0, end).trimEnd()}\n${lines}\n\n${summary.slice(end)}`
}

/** What is left to do by the list that a plugin may keep; a list of another shape holds nothing. */
function openTodos(view: Pick<View, 'state'>): string[] {
  const list = view.state('todos', 'list')
  if (!Array.isArray(list)) return []
  return (list as readonly unknown[]).flatMap((item) => {
    const { content, status }: { readonly content?: unknown; readonly status?: unknown } = Object(item)
    return typeof content === 'string' && content.trim() !== '' && status !== 'completed' ? [content.trim()] : []
  })
}

/** Begins at an edge and is bounded, so that a long line costs no more than its length. */
const PATH = /(?<![\w./~@:-])(?:~\/|\.{0,2}\/)?(?:[\w.@+-]{1,80}\/){1,20}[\w.@+-]{1,80}/g
const MARK = ' (unverified)'
const MARKED = /(?<!\S)\S+ \(unverified\)/g
const TRAILING = /[.,;:!?-]+$/

/** Marks the paths of a summary that occur nowhere in what it is about. */
export function checkPaths(
  summary: string,
  sources: readonly string[],
): { readonly text: string; readonly check: Check } {
  // What an earlier summary could not verify does not verify this one.
  const known = sources.join('\n').replace(MARKED, '')
  const unknown = new Set<string>()
  const named = new Set<string>()
  const text = summary.replace(PATH, (match: string, at: number) => {
    const path = match.replace(TRAILING, '')
    if (!isPath(path)) return match
    named.add(path)
    if (known.includes(path)) return match
    unknown.add(path)
    const isMarked = summary.startsWith(MARK, at + path.length)
    return isMarked ? match : `${path}${MARK}${match.slice(path.length)}`
  })
  const detail = unknown.size === 0 ? `${named.size} named` : `unverified: ${[...unknown].join(', ')}`
  return { text, check: { name: 'paths', ok: unknown.size === 0, detail } }
}

/** Words with a slash between them are no path: it begins like one, has a file at its end, or is deep. */
function isPath(path: string): boolean {
  return /^(?:~|\.{0,2})\//.test(path) || /\.[A-Za-z]\w{0,9}$/.test(path) || path.split('/').length > 3
}
