import { count, money } from '../outcome/figures.js'
import { type Firing, layerWords, type Outcome, type Point, type Run } from '../outcome/outcome.js'

/** A chart as data: the page draws it. */
export interface Chart {
  readonly id: string
  readonly label: string
  readonly isMoney: boolean
  readonly lines: readonly ChartLine[]
  readonly events: readonly ChartEvent[]
  readonly limits: readonly { readonly value: number; readonly name: string }[]
}

interface ChartLine {
  readonly name: string
  /** The name of a colour of the page. */
  readonly colour: string
  readonly points: readonly ChartPoint[]
}

export interface ChartPoint {
  readonly request: number
  readonly value: number
  /** What is told of it to whoever points at it. */
  readonly title: string
}

interface ChartEvent extends ChartPoint {
  readonly layer: string
}

/** The context and the bill of the same work, with layers and without. */
export function charts({ story, without, large, firings }: Outcome): readonly Chart[] {
  const runs = [
    { colour: 'plain', run: large[0] },
    { colour: 'without', run: without },
    { colour: 'cheapest', run: large.at(-1) },
    { colour: 'story', run: story },
  ].flatMap(({ colour, run }) => (run ? [{ colour, run }] : []))
  return [
    {
      id: 'context-chart',
      label: 'tokens in a request',
      isMoney: false,
      lines: runs.map(({ colour, run }) => lineOf(run, colour, ({ tokens }) => tokens)),
      events: eventsOf(story, firings),
      limits: [{ value: story.window, name: `window ${count(story.window)}` }],
    },
    {
      id: 'dollars-chart',
      label: 'dollars so far',
      isMoney: true,
      lines: runs.map(({ colour, run }) => lineOf(run, colour, ({ dollars }) => dollars)),
      events: [],
      limits: [],
    },
  ]
}

function lineOf(run: Run, colour: string, value: (point: Point) => number): ChartLine {
  const points = run.points.map((point) => ({
    request: point.request,
    value: value(point),
    title: `${run.name}, window ${count(run.window)}\nrequest ${point.request}: ${count(point.tokens)} tokens\n${money(point.dollars)} so far`,
  }))
  return { name: `${run.name}, window ${count(run.window)}`, colour, points }
}

/** Where the layers fired while the work was done; what was done by hand came after it. */
function eventsOf({ points }: Run, firings: readonly Firing[]): readonly ChartEvent[] {
  return firings.flatMap(({ layer, request, text }) => {
    const point = points[request - 1]
    if (!point || layer === 'undone') return []
    return [{ request, value: point.tokens, layer, title: `${layerWords[layer].name}\n${text}` }]
  })
}
