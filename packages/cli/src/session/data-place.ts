import { dataFolder } from '@nacre/core/node'
import type { Terminal } from '../terminal.js'

/** The folder in which the program keeps sessions, notes and trust. */
export function dataPlace({ env, home }: Pick<Terminal, 'env' | 'home'>): string {
  return dataFolder({ env, platform: process.platform, home })
}
