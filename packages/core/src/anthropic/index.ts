export { type BlockPath, blockPath } from '../request/block-path.js'
export { type AnthropicModelOptions, anthropicModel } from './anthropic-model.js'
export { classify } from './classify.js'
export type { Timer } from './idle-timeout.js'
