import { fileStore } from '../../src/node/file-store.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { storeContract } from '../../src/testing/index.js'
import { temporaryHome } from '../node/temporary-home.js'

await storeContract('the memory store', memoryStore)
await storeContract('the file store', () => fileStore({ home: temporaryHome() }))
