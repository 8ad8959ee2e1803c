import type { ModelInfo } from '@nacre/core'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand } from '../slash-command.js'
import { startingWith } from '../starting-with.js'
import { figures } from '../text/figures.js'

/** Shows the model, or goes on with another one. */
export const modelCommand: SlashCommand = {
  name: 'model',
  help: 'Shows the model with its window and prices; with a name, goes on with that one from the next turn.',
  example: '/model claude-sonnet-4-6',
  complete: (typed, { opened }) => startingWith(typed, opened.controls.modelNames()),
  async run(args, context) {
    const { session, controls } = context.opened
    const { model: before } = await session.inspect()
    if (args === '') return say(`${described(before)}\nThere are: ${controls.modelNames().join(', ')}.`, context)
    if (/\s/.test(args)) return misuse(`'${args}' is not the name of a model.`, modelCommand, context)
    const model = await controls.makeModel(args)
    if (model.info.id === before.id) return say(`The model is ${before.id} already.`, context)
    context.signal.throwIfAborted()
    await session.setModel(model)
    const cost = 'It has a cache of its own: the next turn writes the whole conversation to it.'
    return say(`From the next turn on: ${described(model.info)} ${cost}`, context)
  },
}

function described({ id, window, price }: ModelInfo): string {
  const { input, output, read, write5m } = price(0)
  const prices = `$${input} input, $${read} cache read, $${write5m} cache write, $${output} output for a million`
  return `${id}, a window of ${figures.count(window)} tokens, ${prices}.`
}
