import { definePlugin, type Plugin } from '@nacre/core'

/** Tells the model whom it talks to, with every prompt. */
export function hello(name: string): Plugin {
  return definePlugin({
    name: 'hello',
    setup: () => ({
      hooks: {
        UserPromptSubmit: (_event, { note }) => note({ text: `The user is called ${name}.`, trust: 'content' }),
      },
    }),
  })
}
