import { storeContract } from '@nacre/core/testing'
import { mapStore } from './map-store.js'

await storeContract('a store of maps', mapStore)
