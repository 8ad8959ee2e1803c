import { definePlugin } from '@nacre/core'

/** The house rules of a session, one short handler for each hook that answers. */
export const houseRules = definePlugin({
  name: 'house-rules',
  setup: () => ({
    hooks: {
      SessionStart({ source }, { note }) {
        if (source !== 'resume') note({ text: 'The branch is main.', trust: 'runtime' })
      },
      PreparePrompt({ value }) {
        return { content: value.content.map((block) => withoutKey(block)) }
      },
      UserPromptSubmit({ prompt }) {
        if (prompt.content.length > 20) return { verdict: 'block', reason: 'More than 20 blocks. Send less at once.' }
        return undefined
      },
      PreCompact({ trigger }) {
        if (trigger === 'auto') return undefined
        return { instructions: 'Keep every path word for word.' }
      },
      PostCompact({ receipt, dryRun }, { note }) {
        if (!dryRun) note({ text: `Folded ${receipt.tokens.before} tokens.`, trust: 'runtime' })
      },
      PreModelCall({ value }) {
        return { ...value, metadata: { user_id: 'ada' } }
      },
      PrepareToolUse({ value }) {
        const { path } = Object(value.input)
        return typeof path === 'string' ? { ...value, input: { path: path.replaceAll('\\', '/') } } : value
      },
      PreToolUse({ call, tool }) {
        if (tool.name !== 'read_file') return { verdict: 'allow', reason: 'Only files are looked after.' }
        const { path } = Object(call.input)
        return path === '.env' ? { verdict: 'ask', reason: 'It holds secrets.' } : undefined
      },
      PermissionRequest({ reason }) {
        return { verdict: 'deny', reason: `Nobody is there to ask. ${reason}` }
      },
      PostToolUse({ value }) {
        return { ...value, content: value.content.map((block) => withoutKey(block)) }
      },
      PostToolUseFailure({ call, value }) {
        if (call.name !== 'read_file') return undefined
        const hint = { type: 'text', text: 'List the folder before you read from it.' }
        return { ...value, content: [...value.content, hint] }
      },
      Stop({ response, times }) {
        const text = JSON.stringify(response.content)
        if (times > 0 || !text.includes('TODO')) return undefined
        return { verdict: 'continue', reason: 'There is a TODO left in your answer. Do it.' }
      },
    },
  }),
})

/**
 * @param {import('@nacre/core').Block} block
 * @returns {import('@nacre/core').Block}
 */
function withoutKey(block) {
  return block.type === 'text' ? { ...block, text: String(block.text).replace(/sk-\w+/g, '[a key]') } : block
}
