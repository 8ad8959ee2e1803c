import { priceOf } from './catalog.mjs'
import { discountOf } from './coupons.mjs'
import { shippingFor } from './shipping.mjs'
import { taxOn } from './tax.mjs'

/** What an order costs, in cents. */
export function total({ time, region, items, coupon }, coupons) {
  const goods = items.reduce((sum, { product, count }) => sum + priceOf(product) * count, 0)
  const reduced = goods - discountOf(coupons[coupon], goods, new Date(time))
  return reduced + taxOn(reduced, region) + shippingFor(region, items.length)
}
