import { brief } from './brief.js'

const ELEMENT = /<(\w+) number="(\d{1,3})">…<\/\1>/g
const LONGEST = 500

/** Whether a text asks for short records of numbered parts, by showing the elements to fill. */
export function asksForRecords(text: string): boolean {
  return text.search(ELEMENT) !== -1
}

/** Each element with what the request itself tells of its part. */
export function writeRecords(request: string): string {
  const records = [...request.matchAll(ELEMENT)].map(([, name, number]) => {
    const told = new RegExp(`^\\w+ ${number}\\b[^\\n]*\\n((?:[ \\t]+[^\\n]*\\n?)*)`, 'm').exec(request)?.[1] ?? ''
    return `<${name} number="${number}">${brief(told, LONGEST) || 'Nothing is known of it.'}</${name}>`
  })
  return records.join('\n')
}
