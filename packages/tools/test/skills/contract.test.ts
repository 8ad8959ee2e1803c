import { fileURLToPath } from 'node:url'
import { pluginContract } from '@nacre/core/testing'
import { skills } from '../../src/index.js'

const folder = fileURLToPath(new URL('example-skills', import.meta.url))

await pluginContract('skills', { create: () => skills({ folders: [folder] }) })
