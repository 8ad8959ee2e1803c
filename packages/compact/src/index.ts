export { compact } from './compact.js'
export type { CompactFlag, CompactOptions, IdleOptions, Policy } from './layer/layer.js'
export { type RecallToolOptions, recallTool } from './recall/recall-tool.js'
export { describeReceipt, receiptInFull } from './receipt/receipts.js'
