import { fileStore } from '../../src/node/file-store.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { storeContract } from '../../src/testing/store-contract.js'
import { temporaryHome } from '../node/temporary-home.js'

storeContract('the memory store', memoryStore)
storeContract('the file store', () => fileStore({ home: temporaryHome() }))
