// Figures of figures.json beside what was measured. Each figure is a list of lines, and the last one is in force: a
// change that raises it adds a line that says what was bought with it. They are there to notice accidents by; nothing
// is moved, merged or loaded later to meet one.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './environment.mjs'

/**
 * @typedef {{ kB?: number, files?: number, bought: string }} Line
 * @typedef {{ sizes: Record<string, Line[]>, executed: Record<string, Record<string, Line[]>> }} Figures
 */

/** How far below its figure something may be before the figure has to follow. */
const SLACK = 0.1

/** @returns {Figures} */
export function readFigures() {
  return JSON.parse(readFileSync(join(root, 'figures.json'), 'utf8'))
}

/**
 * What is to be done about a figure, if anything.
 * @param {string} name
 * @param {number} measured
 * @param {'kB' | 'files'} unit
 * @param {readonly Line[]} [lines]
 * @returns {string | undefined}
 */
export function compare(name, measured, unit, lines = []) {
  const figure = lines.at(-1)?.[unit]
  const is = `${name}: ${measured} ${unit}`
  if (figure === undefined) return `${is}, and no line in figures.json. Add { "${unit}": ${measured}, "bought": … }.`
  if (lines.some(({ bought }) => !bought)) return `${name}: a line in figures.json does not say what it bought.`
  // Also what could not be measured.
  if (!(measured <= figure)) {
    return `${is}, and figures.json says ${figure}. Find out what grew; if it is worth it, add a line that says what it bought.`
  }
  if (measured < figure * (1 - SLACK)) {
    return `${is}, and figures.json still says ${figure}. Set the figure to what it is, so that it notices the next rise.`
  }
  return undefined
}
