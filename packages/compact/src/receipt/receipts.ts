import type { Layer } from '../layer.js'

export const receipts: Layer = () => ({})
