import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { total } from '../src/cart.mjs'
import { coupons } from '../src/coupons.mjs'

test('every order costs what was promised', async () => {
  const orders = JSON.parse(await readFile(new URL('../data/orders.json', import.meta.url), 'utf8'))
  const wrong = orders.filter((order) => total(order, coupons) !== order.agreed)
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
})
