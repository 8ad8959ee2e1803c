import type { Layer } from '../layer.js'

export const clearing: Layer = () => ({})
