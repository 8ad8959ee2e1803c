import type { Block } from '../log/entry.js'
import type { WireDelta } from './wire.js'

/** A block that is still coming. */
export interface OpenBlock {
  /** Returns the piece as it is shown, if any: a block of its type, where a call has `partialJson` and no input. */
  add(delta: WireDelta): Block | undefined
  /** The block as it goes into the log; nothing for blank text, which no later request may hold, and for a cut call. */
  close(): Block | undefined
}

export function openBlock(start: Block): OpenBlock {
  const fields: Record<string, unknown> & { type: string } = { ...start }
  let json = ''
  const append = (name: string, piece: string) => {
    fields[name] = `${(fields[name] as string | undefined) ?? ''}${piece}`
  }
  return {
    add(delta) {
      switch (delta.type) {
        case 'text_delta':
          append('text', delta.text ?? '')
          return { type: 'text', text: delta.text }
        case 'thinking_delta':
          append('thinking', delta.thinking ?? '')
          return { type: 'thinking', thinking: delta.thinking }
        case 'input_json_delta':
          json += delta.partial_json ?? ''
          return delta.partial_json
            ? { type: fields.type, id: fields.id, name: fields.name, partialJson: delta.partial_json }
            : undefined
        case 'signature_delta':
          fields.signature = delta.signature
          return undefined
        case 'citations_delta':
          fields.citations = [...((fields.citations as unknown[] | null) ?? []), delta.citation]
          return undefined
        case 'compaction_delta':
          fields.content = delta.content
          if (delta.encrypted_content !== undefined) fields.encrypted_content = delta.encrypted_content
          return undefined
      }
      return undefined
    },
    close() {
      if (fields.type === 'text' && String(fields.text).trim() === '') return undefined
      if (json === '') return fields
      const input = parse(json)
      return input === undefined ? undefined : { ...fields, input }
    },
  }
}

/** Input that is no JSON was cut by the output limit: such a call must not run. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
