/// <reference lib="dom" />
import { axisX, axisY, dot, gridY, lineY, plot, pointerX, ruleY, text, tip } from '@observablehq/plot'
import type { Chart, ChartPoint } from './charts.js'

// Runs in the page: draws what stands beside it as JSON.
const source = document.getElementById('charts')?.textContent ?? '[]'
for (const chart of JSON.parse(source) as readonly Chart[]) {
  const place = document.getElementById(chart.id)
  if (place) place.append(draw(chart, Math.max(320, place.clientWidth)))
}

function draw({ label, lines, events, limits, isMoney }: Chart, width: number): Element {
  const points = lines.flatMap(({ points: own }) => own)
  const shown = (value: number) => (isMoney ? `$${value.toFixed(2)}` : value.toLocaleString('en-US'))
  return plot({
    width,
    height: Math.min(420, Math.max(260, width / 2)),
    marginLeft: 64,
    marginBottom: 44,
    style: { background: 'none', fontSize: '13px' },
    x: { label: 'request' },
    y: { label, zero: true },
    marks: [
      gridY({ stroke: 'var(--faint)', strokeOpacity: 1 }),
      axisX({ label: 'request →', labelOffset: 40, ticks: 8 }),
      axisY({ label: `↑ ${label}`, tickFormat: shown, ticks: 6 }),
      ruleY(
        limits.map(({ value }) => value),
        { stroke: 'var(--limit)', strokeDasharray: '4 4' },
      ),
      ...lines.map(({ colour, points: own }) =>
        lineY(own, { x: 'request', y: 'value', stroke: `var(--${colour})`, strokeWidth: 2.5 }),
      ),
      text(limits, {
        y: 'value',
        text: 'name',
        frameAnchor: 'left',
        dx: 4,
        dy: -8,
        fill: 'var(--limit)',
        // A line that passes behind it leaves it readable.
        stroke: 'var(--paper)',
        strokeWidth: 5,
      }),
      dot(events, {
        x: 'request',
        y: 'value',
        r: 5,
        fill: ({ layer }: { layer: string }) => `var(--layer-${layer})`,
        stroke: 'var(--paper)',
      }),
      tip([...points, ...events], pointerX({ x: 'request', y: 'value', title: (point: ChartPoint) => point.title })),
    ],
  })
}
