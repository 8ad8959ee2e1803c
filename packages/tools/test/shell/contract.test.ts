import { pluginContract } from '@nacre/core/testing'
import { shell } from '../../src/index.js'

await pluginContract('shell', { create: () => shell() })
