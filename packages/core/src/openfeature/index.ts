export { type OpenFeatureOptions, openFeatureFlags } from './open-feature-flags.js'
