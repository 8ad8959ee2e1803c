/** Whether a list of messages says all that another one said, to the byte, and more. */
export function extendsBody(longer = '', shorter = ''): boolean {
  return shorter !== '' && longer.startsWith(shorter.slice(0, -1))
}
