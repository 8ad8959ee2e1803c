const [WIDTH, HEIGHT] = [800, 440]
const AREA = { left: 70, right: 560, top: 56, bottom: 380 }
const COLOURS = ['#b4432f', '#2f6db4', '#3c8a4e']
const FONT = 'font-family="system-ui, sans-serif"'

/**
 * A line by the formula, dots that were measured, where the line is lowest, and what a policy chose.
 * @typedef {{ label: string, line: Point[], dots: Point[], lowest: Point, chosen?: Point }} Series
 * @typedef {readonly [x: number, y: number]} Point
 */

/**
 * The picture as SVG text. The same figures give the same bytes.
 * @param {{ title: string, across: string, up: string, series: readonly Series[] }} picture
 */
export function draw({ title, across, up, series }) {
  const points = series.flatMap(({ line, dots, chosen }) => [...line, ...dots, ...(chosen ? [chosen] : [])])
  const highest = Math.max(...points.map(([, y]) => y)) * 1.02
  const widest = Math.max(...points.map(([x]) => x))
  const x = (value) => AREA.left + (value / widest) * (AREA.right - AREA.left)
  const y = (value) => AREA.bottom - (value / highest) * (AREA.bottom - AREA.top)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(AREA.left, 30, title, 'font-size="15" font-weight="600"'),
    ...axes({ across, up, highest, widest, x, y }),
    ...series.flatMap((each, index) => drawSeries(each, index, x, y)),
    ...legend(series),
    '</svg>',
    '',
  ].join('\n')
}

function axes({ across, up, highest, widest, x, y }) {
  const step = niceStep(highest)
  const rows = Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step)
  const columns = Array.from({ length: Math.floor(widest / 5) + 1 }, (_, index) => index * 5)
  return [
    ...rows.map((value) => line([AREA.left, y(value)], [AREA.right, y(value)], '#e4e4e4')),
    ...rows.map((value) =>
      text(AREA.left - 8, y(value) + 4, trim(value), 'font-size="11" text-anchor="end" fill="#555555"'),
    ),
    ...columns.map((value) =>
      text(x(value), AREA.bottom + 18, trim(value), 'font-size="11" text-anchor="middle" fill="#555555"'),
    ),
    line([AREA.left, AREA.bottom], [AREA.right, AREA.bottom], '#555555'),
    text((AREA.left + AREA.right) / 2, AREA.bottom + 40, across, 'font-size="12" text-anchor="middle"'),
    text(AREA.left, AREA.top - 8, up, 'font-size="12" fill="#555555"'),
  ]
}

function drawSeries({ line: points, dots, lowest, chosen }, index, x, y) {
  const colour = COLOURS[index % COLOURS.length]
  const path = points
    .map(([across, up], place) => `${place === 0 ? 'M' : 'L'}${round(x(across))} ${round(y(up))}`)
    .join('')
  return [
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
    ...dots.map(([across, up]) => circle(x(across), y(up), 2.6, `fill="${colour}"`)),
    line([x(lowest[0]), y(lowest[1]) + 6], [x(lowest[0]), y(lowest[1]) + 18], colour),
    ...(chosen ? [circle(x(chosen[0]), y(chosen[1]), 6, `fill="none" stroke="${colour}" stroke-width="2"`)] : []),
  ]
}

function legend(series) {
  const left = AREA.right + 20
  const rows = series.flatMap(({ label, lowest }, index) => {
    const up = AREA.top + 20 + index * 22
    return [
      line([left, up], [left + 22, up], COLOURS[index % COLOURS.length], 2),
      text(left + 28, up + 4, `${label}, n* = ${lowest[0].toFixed(1)}`, 'font-size="12"'),
    ]
  })
  const up = AREA.top + 20 + series.length * 22
  return [
    ...rows,
    circle(left + 11, up, 2.6, 'fill="#555555"'),
    text(left + 28, up + 4, 'measured', 'font-size="12"'),
    circle(left + 11, up + 22, 6, 'fill="none" stroke="#555555" stroke-width="2"'),
    text(left + 28, up + 26, 'chosen by balanced', 'font-size="12"'),
  ]
}

function line([left, top], [right, bottom], colour, width = 1) {
  return `<line x1="${round(left)}" y1="${round(top)}" x2="${round(right)}" y2="${round(bottom)}" stroke="${colour}" stroke-width="${width}"/>`
}

function circle(x, y, radius, rest) {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" ${rest}/>`
}

function text(x, y, words, rest) {
  return `<text x="${round(x)}" y="${round(y)}" ${FONT} ${rest}>${words}</text>`
}

function niceStep(highest) {
  const power = 10 ** Math.floor(Math.log10(highest))
  return [0.1, 0.2, 0.5, 1].map((part) => part * power).find((step) => highest / step <= 8) ?? power
}

function trim(value) {
  return String(Number(value.toFixed(4)))
}

function round(value) {
  return Math.round(value * 10) / 10
}
