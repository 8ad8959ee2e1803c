import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import type { Block, ToolResult } from '@nacre/core'

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource']

/** How images begin, as base64. The API refuses what is something else than it says, and all that comes after it. */
const SHOWN_IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
])
/** Characters of base64 that the API takes as one image. */
const LARGEST_IMAGE = 5 * 1024 * 1024

/** What a server answered, as blocks that the API takes. What can't be shown is told of in words. */
export function resultBlocks({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const blocks = content.flatMap(contentBlocks)
  const extra =
    structuredContent && !isSaid(structuredContent, content) ? [text(JSON.stringify(structuredContent))] : []
  return { content: [...blocks, ...extra], ...(isError && { isError: true as const }) }
}

function contentBlocks(content: ContentBlock): readonly Block[] {
  switch (content.type) {
    case 'text':
      return content.text === '' ? [] : [text(content.text)]
    case 'image':
      return [image(content.data, content.mimeType, 'An image')]
    case 'audio':
      return [text(`(Audio of type ${content.mimeType}, ${bytesOf(content.data)} bytes: it can not be shown.)`)]
    case 'resource_link': {
      const about = content.description ? `: ${content.description}` : ''
      return [text(`(Resource ${content.uri}, called ${content.name}${about}. ReadMcpResource reads it.)`)]
    }
    case 'resource':
      return resourceBlocks(content.resource)
  }
}

/** A resource with its address before it. */
export function resourceBlocks(resource: Resource): readonly Block[] {
  if ('text' in resource) return [text(`Resource ${resource.uri}:\n${resource.text}`)]
  const { uri, mimeType = 'application/octet-stream', blob } = resource
  return [image(blob, mimeType, `The resource ${uri}`)]
}

function image(data: string, mimeType: string, what: string): Block {
  const start = SHOWN_IMAGES.get(mimeType)
  const isShown = start !== undefined && data.startsWith(start) && data.length <= LARGEST_IMAGE
  if (isShown) return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
  return text(`(${what} of type ${mimeType}, ${bytesOf(data)} bytes: it can not be shown.)`)
}

/** Servers should give what is structured as text too: then it is not said twice. */
function isSaid(structured: object, content: readonly ContentBlock[]): boolean {
  const said = JSON.stringify(structured)
  return content.some((each) => {
    if (each.type !== 'text') return false
    try {
      return JSON.stringify(JSON.parse(each.text)) === said
    } catch {
      return false
    }
  })
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}

function text(content: string): Block {
  // The API takes no request with half of a pair in it.
  return { type: 'text', text: content.replace(/\p{Surrogate}/gu, '\ufffd') }
}
