import type { ToolResult } from '@nacre/core'
import { textOf } from '../define-tool.js'

/** What a person sees of a change: what went and came, as long as that is remembered, or else what the model was told. */
export function shownPatch(patches: FileToolPatches, result: ToolResult): string {
  const [first] = result.content
  return (first && patches.get(first)) ?? textOf(result)
}

type FileToolPatches = WeakMap<object, string>
