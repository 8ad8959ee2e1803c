import { describe, expect, it } from 'vitest'
import { keyboard } from '../../src/screen/input/keyboard.js'
import { keyReader } from '../../src/screen/input/read-terminal.js'
import { createDialogs } from '../../src/screen/state/dialogs.js'
import { type Suggestions, screenStore } from '../../src/screen/state/screen-state.js'

const CTRL_C = '\u0003'
const UP = '\u001b[A'
const DOWN = '\u001b[B'

function typing(prompts: readonly string[] = [], offered: Readonly<Record<string, readonly string[]>> = {}) {
  const store = screenStore()
  const sent: string[] = []
  const told: string[] = []
  let time = 0
  const suggest = (line: string): Suggestions | undefined => {
    const items = offered[line]?.map((each) => ({ line: each, help: '' }))
    return items && { items, at: 0 }
  }
  const press = keyboard(store, createDialogs(store), {
    send: (text) => sent.push(text),
    retry: () => told.push('retry'),
    interrupt: () => told.push('interrupt') > 0,
    end: () => told.push('end'),
    suggest,
    prompts: () => prompts,
    now: () => time,
  })
  return {
    sent,
    told,
    text: () => store.state().editor.text,
    hint: () => store.state().hint,
    type: (keys: string) => keyReader().read(keys).forEach(press),
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('Ctrl-C', () => {
  it('clears the line and interrupts, and ends when it is pressed again within two seconds', () => {
    const { type, text, hint, told, pass } = typing()
    type(`half a line${CTRL_C}`)
    expect([text(), hint()]).toEqual(['', 'Press Ctrl-C again to end.'])
    pass(1_999)
    type(CTRL_C)
    expect(told).toEqual(['interrupt', 'end'])
  })

  it('that comes late is the first one again', () => {
    const { type, told, pass } = typing()
    type(CTRL_C)
    pass(2_000)
    type(CTRL_C)
    expect(told).toEqual(['interrupt', 'interrupt'])
  })

  it('is forgotten when something else is typed', () => {
    const { type, hint, told } = typing()
    type(`${CTRL_C}x`)
    expect(hint()).toBeUndefined()
    type(CTRL_C)
    expect(told).toEqual(['interrupt', 'interrupt'])
  })
})

describe('Enter', () => {
  it('sends the command that is marked, and the one that was typed whole where longer ones begin so', () => {
    const offered = { '/rec': ['/receipt', '/receipts'], '/receipt': ['/receipt', '/receipts'] }
    const { type, sent } = typing([], offered)
    type('/rec\r')
    type('/receipt\r')
    type(`/receipt${DOWN}\r`)
    expect(sent).toEqual(['/receipt', '/receipt', '/receipts'])
  })

  it('behind a backslash begins another line, and on an empty line tries again', () => {
    const { type, sent, told } = typing()
    type('one\\\rtwo\r\r')
    expect([sent, told]).toEqual([['one\ntwo'], ['retry']])
  })
})

describe('Up and Down', () => {
  it('go through what was sent before, and come back to what was being typed', () => {
    const { type, text } = typing(['first', 'second'])
    const seen = [UP, UP, UP, DOWN, DOWN, DOWN].map((key, index) => {
      type(index === 0 ? `draft${key}` : key)
      return text()
    })
    expect(seen).toEqual(['second', 'first', 'first', 'second', 'draft', 'draft'])
  })

  it('move inside of a text of several lines first', () => {
    const { type, text } = typing(['before'])
    type(`\u001b[200~one\ntwo\u001b[201~${UP}X`)
    expect(text()).toBe('oneX\ntwo')
  })
})

describe('Tab', () => {
  it('takes the suggestion that is marked', () => {
    const { type, text } = typing([], { '/c': ['/cache', '/clear', '/cost'] })
    type(`/c${DOWN}${DOWN}\t`)
    expect(text()).toBe('/cost ')
  })
})
