/**
 * The texts of the pages of a document. `name` stands in the error when it can not be read. The library is large, and
 * most sessions read no document.
 */
export async function pdfPages(name: string, bytes: Buffer): Promise<readonly string[]> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  try {
    // It keeps the bytes for itself, so it gets a copy; its warnings would go to the console.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    return (await extractText(document, { mergePages: false })).text
  } catch (error) {
    throw new Error(`${name} could not be read as a PDF: ${(error as Error).message}`)
  }
}
