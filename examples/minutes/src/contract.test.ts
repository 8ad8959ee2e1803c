import { pluginContract } from '@nacre/core/testing'
import { minutes } from './index.js'

await pluginContract('minutes', { create: () => minutes({ every: 2 }) })
