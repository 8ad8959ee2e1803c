import { replay } from './replay.mjs'
import { recordedSessions } from './sessions/recorded.mjs'
import { seededSessions } from './sessions/seeded.mjs'

for (const s of [...recordedSessions('/work/shared/data'), ...seededSessions()]) {
  const chars =
    s.exchanges.reduce(
      (n, e) =>
        n +
        e.prompt.length +
        e.answers.flat().reduce((m, b) => m + (b.text?.length ?? JSON.stringify(b.input).length), 0),
      0,
    ) +
    [...s.results.values()].reduce(
      (n, r) =>
        n + (typeof r.content === 'string' ? r.content.length : r.content.map((b) => b.text ?? '').join('').length),
      0,
    )
  const r = await replay(s, { share: 0.1, window: 900_000, summarize: () => '' })
  console.log(
    s.origin,
    s.name,
    'chars',
    chars,
    'tokens',
    r.peak,
    (chars / r.peak).toFixed(2),
    'res',
    [...s.results.values()].reduce(
      (n, r) =>
        n + (typeof r.content === 'string' ? r.content.length : r.content.map((b) => b.text ?? '').join('').length),
      0,
    ),
    s.results.size,
  )
}
