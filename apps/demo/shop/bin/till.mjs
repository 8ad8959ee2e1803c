import { readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

// Waits until a till is closed: until a file with its name is there. It fails when the shop itself is gone.
const [till] = process.argv.slice(2)
const folder = new URL('../data/', import.meta.url)
while (!(await readdir(folder)).includes(`${till}.closed`)) await setTimeout(50)
console.log(`the till of ${till} is closed`)
