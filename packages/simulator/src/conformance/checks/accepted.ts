import type { Played } from '../act.js'
import type { Problem } from '../finding.js'

/** Every error of the API that no fault stands behind. */
export function accepted({ requests }: Played): readonly Problem[] {
  const refused = requests.filter(({ status, isStruck }) => status >= 400 && !isStruck)
  return refused.map(({ status, error, source, step }) => {
    return {
      check: 'accepted',
      step,
      detail: `a request of ${source} was answered with ${status}: ${messageOf(error)}`,
    }
  })
}

function messageOf(error: string): string {
  try {
    return (JSON.parse(error) as { error: { message: string } }).error.message
  } catch {
    return error
  }
}
