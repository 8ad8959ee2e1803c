import type { Chance } from './chance.js'

/** An event of a stream. One without a type is odd in itself. */
export type Event = { readonly type?: string; readonly [field: string]: unknown }

const WORDS = 'the parser keeps its tokens in a ring and forgets none of them until the file is closed'.split(' ')
const HALVES = ['\ud83d', 'a\udc1a', '\ud83d\ud83d']
const TYPES = ['hologram', 'tool_dream', 'web_search_tool_result_2', 'thinking_v9']
const STOPS = ['end_turn', 'end_turn', 'stop_sequence', 'finished', '', 'tool_use', null, 7]

export function words(chance: Chance, most: number): string {
  const count = 1 + chance.below(most)
  return Array.from({ length: count }, () => chance.pick(WORDS)).join(' ')
}

/** A text with something in it that does not belong there, now and then. */
export function oddText(chance: Chance, most: number): string {
  const text = words(chance, most)
  return chance.is(0.1) ? `${text} ${chance.pick(HALVES)}` : text
}

type Block = { readonly type?: unknown; readonly json?: string; readonly [field: string]: unknown }

/** The blocks of an answer; those of calls come with the text of their input. */
function blocks(chance: Chance, prompt: number): readonly Block[] {
  const text = (): Block => ({ type: 'text', text: oddText(chance, 120) })
  switch (chance.below(10)) {
    case 0:
      return []
    case 1:
      return [{ type: chance.pick(TYPES), payload: words(chance, 5) }, text()]
    case 2:
      return [
        chance.pick<Block>([
          { type: 'text', text: null },
          { type: 'text' },
          { type: null },
          { type: 'text', text: ' \n' },
        ]),
      ]
    case 3:
      return [{ type: 'thinking', thinking: words(chance, 30), ...(chance.is(0.5) && { signature: 's' }) }, text()]
    case 4:
    case 5:
    case 6:
      return [
        ...(chance.is(0.5) ? [text()] : []),
        ...Array.from({ length: 1 + chance.below(3) }, () => call(chance, prompt)),
      ]
    default:
      return [text()]
  }
}

function call(chance: Chance, prompt: number): Block {
  const id = chance.is(0.7)
    ? `toolu_${prompt}_${chance.below(1e9)}`
    : chance.pick<unknown>(['', null, undefined, 'same', 'same', 'a b:ü', 7])
  const name = chance.is(0.8)
    ? 'look'
    : chance.pick<unknown>(['', null, 'look!', 'Look', 'x'.repeat(200), `look${HALVES[0]}`])
  const path = JSON.stringify({ path: `src/${chance.pick(WORDS)}.ts` })
  const json = chance.is(0.7)
    ? path
    : chance.pick([path.slice(0, chance.below(path.length)), '[]', '"x"', 'null', '3', '{"path":"\\ud83d"}', '{} {}'])
  return { type: 'tool_use', id, name, input: {}, json }
}

/** An answer as a list of events, with everything in it that a server may leave out, add or say twice. */
export function oddAnswer(chance: Chance, prompt: number, content = blocks(chance, prompt)): readonly Event[] {
  const hasCall = content.some(({ type }) => type === 'tool_use')
  const stop = chance.is(0.75) ? (hasCall ? 'tool_use' : 'end_turn') : chance.pick(STOPS)
  const events = [
    {
      type: 'message_start',
      message: { id: chance.is(0.9) ? `msg_${prompt}` : null, ...usage(chance, prompt), extra: {} },
    },
    ...content.flatMap((block, index) => blockEvents(chance, block, chance.is(0.97) ? index : 0)),
    {
      type: 'message_delta',
      delta: { stop_reason: chance.is(0.03) ? 'pause_turn' : stop, extra: null },
      ...usage(chance, 0),
    },
    { type: 'message_stop' },
  ]
  return events.flatMap((event): Event[] => [
    ...(chance.is(0.1) ? [{ type: 'ping' }] : []),
    ...(chance.is(0.05) ? [{ type: 'weather_report', sky: null }] : []),
    event,
  ])
}

function usage(chance: Chance, prompt: number): object {
  if (chance.is(0.1))
    return chance.pick([{}, { usage: null }, { usage: { input_tokens: 'many' } }, { usage: { iterations: 3 } }])
  return { usage: { ...(prompt > 0 && { input_tokens: prompt }), output_tokens: 20, cache_creation: null, extra: 1 } }
}

function blockEvents(chance: Chance, { json, ...block }: Block, index: number): Event[] {
  const text = block.type === 'text' && typeof block.text === 'string' ? block.text : undefined
  const half = text === undefined ? 0 : chance.below(text.length)
  const piece = (delta: object): Event => ({ type: 'content_block_delta', index, delta })
  const pieces =
    text !== undefined
      ? [
          piece({ type: 'text_delta', text: text.slice(0, half) }),
          piece({ type: 'text_delta', text: text.slice(half) }),
        ]
      : json !== undefined
        ? [
            piece({ type: 'input_json_delta', partial_json: '' }),
            piece({ type: 'input_json_delta', partial_json: json }),
          ]
        : []
  return [
    { type: 'content_block_start', index, content_block: text === undefined ? block : { ...block, text: '' } },
    ...(chance.is(0.03) ? [piece({ type: 'aroma_delta', aroma: 'x' }), { type: 'content_block_delta', index }] : []),
    ...pieces,
    { type: 'content_block_stop', index },
  ]
}

const HEADINGS = [
  [
    'Primary request and intent',
    'Key technical concepts',
    'Files and code',
    'Errors and fixes',
    'Problem solving',
    'All user messages',
    'Pending tasks',
    'Current work',
    'Optional Next Step',
  ],
  [
    'Hauptanliegen',
    'Technische Begriffe',
    'Dateien und Code',
    'Fehler und Lösungen',
    'Problemlösung',
    'Alle Nachrichten',
    'Offene Aufgaben',
    'Aktuelle Arbeit',
    'Nächster Schritt',
  ],
  ['主な依頼', '技術概念', 'ファイル', 'エラー', '問題解決', '発言', '保留中', '現在の作業', '次の手順'],
] as const

type Mark = (title: string, number: number) => string
const MARKS: readonly Mark[] = [
  (title, number) => `${number}. ${title}:`,
  (title, number) => `## ${number}. ${title}`,
  (title) => `**${title}**`,
  (title) => `### ${title.toUpperCase()}`,
  (title, number) => `${number}) ${title} -`,
  (title, number) => `§${number} — ${title}`,
]

/** A good summary in a form of its own: headings of any language, numbered or not, with or without the last one. */
export function oddSummary(chance: Chance, said: string): string {
  const mark = chance.pick(MARKS)
  const titles = chance.pick(HEADINGS)
  const shown = chance.is(0.3) ? titles.slice(0, -1) : titles
  const sections = shown.map((title, index) => `${mark(title, index + 1)}\n${said} ${words(chance, 40)}`)
  const body = sections.join('\n\n')
  return chance.pick([
    body,
    `<summary>\n${body}\n</summary>`,
    `<analysis>Hm.</analysis>\n<summary>\n${body}\n</summary>`,
  ])
}
