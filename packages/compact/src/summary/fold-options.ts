import type { CompactPlan, FoldOptions } from '@nacre/core'
import type { SummaryTask } from './summary-task.js'

/** What every summary is made into a fold with. */
export function foldOptions({ parts }: SummaryTask, { trigger }: CompactPlan): FoldOptions {
  const recall = parts.recall()
  return { trigger, isAutonomous: parts.settings.autonomous, ...(recall !== undefined && { recall }) }
}
