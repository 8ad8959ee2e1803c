/** As much as is needed of the nodes that the converter hands to its rules. */
export interface HtmlNode {
  readonly nodeName: string
  readonly parentNode: HtmlNode | null
  readonly previousSibling: HtmlNode | null
  readonly childNodes: ArrayLike<HtmlNode>
  getAttribute(name: string): string | null
}

/** The converter's own type is the browser's, which is another one in every program. */
export function htmlNode(node: unknown): HtmlNode {
  return node as HtmlNode
}
