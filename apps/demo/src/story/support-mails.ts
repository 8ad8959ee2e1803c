const PEOPLE = ['Ada', 'Bela', 'Cleo', 'Dora', 'Emil', 'Fynn', 'Gesa', 'Hugo', 'Ines', 'Jari', 'Kaya', 'Levi']
const GOODS = ['an oak lamp', 'two copper mugs', 'a wool rug', 'a glass vase', 'three linen towels', 'a slate clock']
const MOODS = ['I have written twice', 'The hotline hung up', 'I like your shop, but', 'My neighbour had the same']

/** A thread of mails as a person pastes it: long, repetitive, with an order number here and there that matters. */
export function supportMails(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => mail(first + index)).join('\n\n')
}

function mail(number: number): string {
  const name = pick(PEOPLE, number)
  return `From: ${name.toLowerCase()}${number}@mail.example
Subject: ticket T-${7_300 + number * 11}, order SO-${49_268 + number * 49}
${pick(MOODS, number)}: I bought ${pick(GOODS, number)} and typed AUTUMN into the field for coupons. The page said that it was taken, the mail with the order said so too, and on my card there is the whole price. It was about ${number % 2 ? 'ten at night' : 'noon'} on the ${24 + (number % 7)}th. I would like the difference of ${((number * 137) % 2_900) + 310} cents back, and to know that it does not happen again. Yours, ${name}`
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? ''
}
