import { readFile } from 'node:fs/promises'
import { total } from '../src/cart.mjs'
import { coupons } from '../src/coupons.mjs'

// Prices every order of the month again and compares it with what the customer was promised.
const orders = JSON.parse(await readFile(new URL('../data/orders.json', import.meta.url), 'utf8'))
const [only] = process.argv.slice(2)
let wrong = 0
for (const order of orders.filter(({ coupon }) => !only || coupon === only)) {
  const paid = total(order, coupons)
  const isRight = paid === order.agreed
  if (!isRight) wrong += 1
  const verdict = isRight ? 'right' : 'WRONG'
  console.log(
    `${order.id} ${order.time} ${order.region} ${order.coupon ?? 'none'} paid=${paid} agreed=${order.agreed} ${verdict}`,
  )
}
console.log(`${wrong} orders are wrong`)
