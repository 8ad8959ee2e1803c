import { pluginContract } from '@nacre/core/testing'
import { askUser } from '../../src/index.js'

await pluginContract('askUser', { create: () => askUser() })
