import { TRICKS } from '../../permissions/corpus.js'
import type { TrickGroup } from './trick.js'

/** The tricks that the rules are tried with, so that they have something to do harm to: not only in the workspace. */
export const EARLIER: readonly TrickGroup[] = TRICKS.map(({ kind, commands }) => ({
  kind: `earlier: ${kind}`,
  isContained: false,
  commands: [...new Set(commands.map(adapted))],
}))

function adapted(command: string): string {
  return (
    command
      .replaceAll('/etc/passwd', '@OUT@/passwd')
      .replaceAll('find / ', 'find @STAGE@ ')
      .replaceAll('/tmp/evil', '@STAGE@/outside/evil')
      // Removed outside, not only where work may be done; and touched, where the words come from elsewhere.
      .replace(/\brm( -rf)? x\b/g, 'rm$1 @OUT@/x')
      .replaceAll('rm% x', 'rm% @OUT@/x')
      .replace(/(^|[\s=,])out\b/g, '$1@OUT@/new')
      // Would go on for ever.
      .replace(/^(yes|top)$/, 'timeout 0.1 $1')
      .replace(/^(watch .*)$/, 'timeout 0.5 $1')
      .replace(/^while git diff; do/, 'for i in 1; do')
  )
}
