/** The version of what `--output-format json` and `stream-json` print. It changes when a field goes or changes its meaning. */
export const OUTPUT_VERSION = 1
