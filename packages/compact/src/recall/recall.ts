import type { Layer } from '../layer.js'

export const recall: Layer = () => ({})
