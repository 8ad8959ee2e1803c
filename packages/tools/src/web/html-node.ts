/** As much as is needed of the nodes that the converter hands to its rules. */
export interface HtmlNode {
  readonly nodeName: string
  readonly parentNode: HtmlNode | null
  readonly previousSibling: HtmlNode | null
  readonly childNodes: ArrayLike<HtmlNode>
  getAttribute(name: string): string | null
}
