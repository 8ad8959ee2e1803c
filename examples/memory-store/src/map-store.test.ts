import { storeContract } from '@nacre/core/testing'
import { mapStore } from './map-store.js'

storeContract('a store of maps', mapStore)
