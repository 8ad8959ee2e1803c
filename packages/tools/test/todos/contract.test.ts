import { pluginContract } from '@nacre/core/testing'
import { todos } from '../../src/index.js'

await pluginContract('todos', { create: () => todos({ remindAfter: 1 }) })
