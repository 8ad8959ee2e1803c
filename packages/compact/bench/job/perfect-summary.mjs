import { summarize } from '@nacre/simulator'

/**
 * A summariser that returns every fact it is shown: the simulator's own summary, with the facts among its files and
 * code. So what is missing afterwards, the software did not pass along.
 * @param {readonly import('./facts-job.mjs').Fact[]} facts
 * @returns {(turn: import('@nacre/simulator').ModelTurn) => string}
 */
export function perfectSummary(facts) {
  return (turn) => {
    const shown = JSON.stringify(turn.messages)
    const known = facts.filter(({ answer }) => shown.includes(answer)).map(({ line }) => `- ${line}`)
    const text = summarize(turn)
    const place = text.search(/^4\. /m)
    return place === -1
      ? [text, ...known].join('\n')
      : `${text.slice(0, place)}${known.join('\n')}\n\n${text.slice(place)}`
  }
}
