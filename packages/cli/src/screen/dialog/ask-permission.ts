import type { Tool, ToolCall } from '@nacre/core'
import { callTitle } from '../show/call-title.js'
import { previewLines } from '../show/preview-lines.js'
import { plainLines } from '../text/plain-lines.js'
import type { ChoiceOption } from './dialog.js'
import type { Dialogs } from './dialogs.js'

/** A call that needs a person's word. */
export interface PermissionQuestion {
  readonly call: ToolCall
  readonly tool?: Tool | undefined
  /** Why it is asked. */
  readonly reason: string
  /** What 'always' would allow; nothing where no rule says it plainly. */
  readonly rule?: string | undefined
  /** What it would do stands above already, since it is too long for a dialog. */
  readonly isAbove?: boolean
}

export type PermissionAnswer =
  | { readonly verdict: 'once' }
  | { readonly verdict: 'always'; readonly rule: string }
  | { readonly verdict: 'no'; readonly why?: string | undefined }

/** Asks whether a call may run. A person who leaves has said no. */
export async function askPermission(
  dialogs: Dialogs,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const { call, tool, reason, rule, isAbove = false } = question
  const answers: readonly { readonly option: ChoiceOption; answer(text?: string): PermissionAnswer }[] = [
    { option: { label: 'Yes, once', key: 'y' }, answer: () => ({ verdict: 'once' }) },
    ...(rule === undefined
      ? []
      : [
          {
            option: { label: `Yes, and always in this session: ${rule}`, key: 'a' },
            answer: () => ({ verdict: 'always' as const, rule }),
          },
        ]),
    { option: { label: 'No', key: 'n' }, answer: () => ({ verdict: 'no' }) },
    {
      option: { label: 'No, and say why', key: 'w', wantsText: true },
      answer: (text) => ({ verdict: 'no', why: text || undefined }),
    },
  ]
  const picked = await dialogs.choose(
    {
      title: `May it run? ${callTitle(call, tool)}`,
      body: (width) => [
        ...(isAbove ? plainLines('All that it would do stands above.', width) : previewLines(call, width)),
        ...plainLines(reason, width, 'dim'),
      ],
      leaving: 'Esc says no and interrupts',
      options: answers.map(({ option }) => option),
    },
    signal,
  )
  return answers[picked?.options[0] ?? -1]?.answer(picked?.text) ?? { verdict: 'no' }
}
