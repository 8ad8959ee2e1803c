import { pluginContract } from '@nacre/core/testing'
import { minutes } from './index.js'

pluginContract('minutes', { create: () => minutes({ every: 2 }) })
