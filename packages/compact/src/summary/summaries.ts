import type { Layer } from '../layer.js'

export const summaries: Layer = () => ({})
