/** The URL that a call asks for. Throws, with a message for the model, when it is none that may be fetched. */
export function parseAddress(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined
  if (!url) throw new Error(`${text} is not a URL. Give one with its protocol, such as https://example.com/page.`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${url.protocol} is not fetched, only http: and https: are.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The URL has a user name or a password in it. Leave them out: no credentials are sent.')
  }
  url.hash = ''
  return url
}
