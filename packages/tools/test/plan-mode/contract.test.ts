import { pluginContract } from '@nacre/core/testing'
import { planMode } from '../../src/index.js'

await pluginContract('planMode', { create: () => planMode() })
