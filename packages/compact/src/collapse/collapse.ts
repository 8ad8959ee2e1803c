import type { Layer } from '../layer.js'

export const collapse: Layer = () => ({})
