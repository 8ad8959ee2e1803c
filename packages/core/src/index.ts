export { checkEdit, type Proposal } from './view/check-edit.js'
