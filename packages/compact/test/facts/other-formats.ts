import type { Fact } from './fact.js'
import { factsOf } from './plant-facts.js'
import type { Random } from './random.js'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const plain = (text: string, lines: readonly string[], { pick }: Random) => ({
  text,
  line: pick(lines).replace('@', () => text),
})

type Format = (random: Random) => { readonly text: string; readonly line: string }

const windowsPath: Format = (random) => {
  const { word, pick } = random
  const text = `${pick(['C', 'D'])}:\\${capital(word())}\\${word()}.${word()}\\${capital(word())}.${pick(['cs', 'dll', 'ps1'])}`
  return plain(text, ['Access to the path @ is gone', 'opened @'], random)
}

const foreignPath: Format = (random) => {
  const { word, pick } = random
  const text = pick([
    `lib/${word()}/${word()}_live.ex`,
    `app/src/main/kotlin/${word()}/${capital(word())}.kt`,
    `Sources/${capital(word())}/${capital(word())}+Ext.swift`,
    `charts/${word()}/templates/_${word()}.tpl`,
    `/etc/${word()}/conf.d/${word()}.conf`,
  ])
  return plain(text, ['see @', 'changed @ twice'], random)
}

const uuid: Format = (random) => {
  const text = [8, 4, 4, 4, 12].map((length) => random.hex(length)).join('-')
  return plain(text, ['request @ failed', 'id=@', '{"trace":"@"}'], random)
}

const colour: Format = (random) => plain(`#${random.hex(6)}`, ['background: @;', 'the brand is @ now'], random)

const date: Format = (random) => {
  const { between, pick } = random
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `20${between(31, 59)}-${two(between(1, 12))}-${two(between(1, 28))}`
  const time = `T${two(between(0, 23))}:${two(between(0, 59))}:${two(between(0, 59))}Z`
  return plain(pick([day, day + time]), ['expires @', 'since @ it is slow'], random)
}

const version: Format = (random) => {
  const { between, pick, word } = random
  const numbers = `${between(2, 40)}.${between(10, 99)}.${between(0, 30)}`
  const text = pick([`${numbers}-rc.${between(1, 9)}`, `v${numbers}`, `${word()}@${numbers}`])
  return plain(text, ['upgrade to @', 'pinned at @ for now'], random)
}

const ticket: Format = (random) => {
  const text = `${random.word().toUpperCase().slice(0, 4)}-${random.between(1_000, 9_999)}`
  return plain(text, ['as in @', 'closes @'], random)
}

const address: Format = (random) => {
  const { hex, pick, between } = random
  const text = pick([
    `2001:db8:${hex(4)}:${hex(4)}::${hex(3)}`,
    `fe80::${hex(4)}:${hex(4)}`,
    `10.${between(16, 99)}.${between(1, 254)}.${between(1, 254)}`,
  ])
  return plain(text, ['bound to @', 'peer @ is gone'], random)
}

const variable: Format = (random) => {
  const text = `${random.word().toUpperCase()}_${random.word().toUpperCase()}`
  return plain(text, ['export @=1', 'set $@ first', '@ is empty'], random)
}

const resource: Format = (random) => {
  const { word, pick, hex } = random
  const text = pick([
    `deployment/${word()}-${word()}`,
    `${word()}-${word()}-${hex(9)}-${hex(5)}`,
    `${word()}.${word()}.svc.cluster.local`,
    `arn:aws:s3:::${word()}-${word()}`,
  ])
  return plain(text, ['@ is pending', 'restarted @'], random)
}

const quoted: Format = (random) => {
  const { word, pick, between } = random
  const text = pick([
    `undefined method '${word()}' for nil:NilClass`,
    `relation "${word()}" does not exist`,
    `cannot find symbol: ${word()}`,
    `ORA-0${between(1_000, 9_999)}: ${word()} is not valid`,
    `segmentation fault in ${word()}`,
  ])
  return plain(text, [`ERROR: @`, `error: @`, `[ERROR] @`], random)
}

const SHARES = [
  ['windows path', 10, windowsPath, false],
  ['foreign path', 14, foreignPath, false],
  ['uuid', 12, uuid, false],
  ['colour', 8, colour, false],
  ['date', 10, date, false],
  ['version', 14, version, false],
  ['ticket', 12, ticket, false],
  ['address', 10, address, false],
  ['variable', 10, variable, false],
  ['resource', 10, resource, false],
  ['quoted error', 10, quoted, false],
] as const

/** 120 identifiers of kinds and formats that the first generator has not, to see whether anchors are general. */
export function otherFormats(seed: number): Fact[] {
  return factsOf(seed, SHARES)
}
