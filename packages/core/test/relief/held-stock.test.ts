import { expect, it } from 'vitest'
import { waitingCosts } from '../../src/relief/money-model.js'

/** Hears a stock turn by turn, and gives what it has cost at the end. */
function afterTurns(...frees: readonly number[]) {
  const stock = waitingCosts()
  return frees.map((each) => {
    stock.turn()
    return stock.offered('clear', each, 100)
  })
}

it('counts what lies in store once for each turn that reads it', () => {
  expect(afterTurns(100, 300, 400)).toEqual([
    { held: 100, turns: 1 },
    { held: 400, turns: 2 },
    { held: 800, turns: 3 },
  ])
})

it('takes a stock whose beginning nobody saw as one that grew evenly', () => {
  expect(afterTurns(400)).toEqual([{ held: 1_000, turns: 4 }])
})

it('begins anew after a cut, without guessing', () => {
  const stock = waitingCosts()
  stock.turn()
  stock.offered('clear', 500, 100)
  stock.taken('clear')
  stock.turn()
  expect(stock.offered('clear', 900, 100)).toEqual({ held: 900, turns: 1 })
})

it('forgets what nobody has offered for a turn, and with a part that others took what it had cost', () => {
  expect(afterTurns(100, 200, 100).at(-1)).toEqual({ held: 250, turns: 3 })
  const stock = waitingCosts()
  stock.turn()
  stock.offered('clear', 100, 100)
  stock.turn()
  stock.turn()
  expect(stock.offered('clear', 100, 100)).toEqual({ held: 100, turns: 1 })
})

it('keeps reliefs apart', () => {
  const stock = waitingCosts()
  stock.turn()
  stock.offered('clear', 100, 100)
  expect(stock.offered('summary', 50, 100)).toEqual({ held: 50, turns: 1 })
})
