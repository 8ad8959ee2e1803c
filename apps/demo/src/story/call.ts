/** A call as the offline model makes it. */
export function call(name: string, input: object) {
  return { type: 'tool_use' as const, name, input }
}
