import type { Layer } from '../layer.js'
import { recallTool } from './recall-tool.js'

/** The tool that reads the log, while its flag is on. */
export const recall: Layer = ({ flag, store }) => {
  const tool = recallTool({ store })
  return {
    get tools() {
      return flag('recall') ? [tool] : []
    },
  }
}
