/** What only a conversation that is edited needs. */
export { checkEdit } from '../view/check-edit.js'
export { priceEdit } from './price-edit.js'
