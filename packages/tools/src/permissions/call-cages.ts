import { resolve } from 'node:path'
import type { Id, View } from '@nacre/core'
import { leadsTo } from '../paths.js'
import type { Sandbox } from '../sandbox/create-sandbox.js'
import type { Access, Cage } from '../sandbox/sandbox.js'
import { judgeCommand } from './judge-command.js'
import { type Caging, type JudgeSetting, patternBase } from './judge-path.js'
import type { Judgement } from './permission-rule.js'
import { ruledPlaces } from './ruled-places.js'
import { isReadOnlyCommand } from './shell/command-files.js'

type Viewed = Pick<View, 'state'>

export interface CagingOptions {
  /** Where commands are put into cages: then what they are able to do decides, and not what they seem to say. */
  readonly sandbox?: Sandbox
  /** Commands that run outside of it when rules allow them, such as `git push:*`. */
  readonly outside?: readonly string[]
  /** Where commands run in the mode `bypass`; outside of the sandbox unless told. */
  readonly bypass?: 'outside' | 'work'
}

/** In which cage each call was judged to run. */
interface CallCages {
  /** How commands are put into cages now; nothing where they are not. */
  caging(view: Viewed | undefined): Caging | undefined
  judged(call: Id, judged: Judgement, setting: JudgeSetting): void
  cageOf(call: Id): Promise<Cage | 'outside' | undefined>
  onlyReads(command: string, asked: OnlyReading): boolean
  forget(call: Id): void
}

interface OnlyReading extends Pick<JudgeSetting, 'mode' | 'rules'> {
  readonly access: Access
  readonly view: Viewed | undefined
}

/** Calls that never end, since somebody stopped them, must not pile up. */
const MOST_CALLS = 10_000

export function callCages({ sandbox, outside = [], bypass = 'outside' }: CagingOptions): CallCages {
  const calls = new Map<Id, { readonly judged: Judgement; readonly setting: JudgeSetting }>()
  const caging = (view: Viewed | undefined) =>
    sandbox?.isReady ? { isPlanning: view ? isPlanning(view) : false, outside, bypass } : undefined
  return {
    caging,
    judged(call, judged, setting) {
      if (judged.cage) calls.set(call, { judged, setting })
      if (calls.size > MOST_CALLS) calls.delete(calls.keys().next().value ?? call)
    },
    async cageOf(call) {
      const { judged, setting } = calls.get(call) ?? {}
      const cage = judged?.cage
      if (!judged || !setting || cage === undefined || cage === 'outside') return cage
      return { ...cage, ...(await ruledPlaces(judged, setting)) }
    },
    onlyReads(command, { access, view, mode, rules }) {
      if (access !== 'read') return false
      const now = caging(view)
      if (!now) return isReadOnlyCommand(command)
      const cwd = resolve('.')
      const workspace = [leadsTo(cwd, '/')]
      const setting = { mode, rules, cwd, base: patternBase(cwd), workspace, caging: now, note: () => undefined }
      const { cage } = judgeCommand(command, { access, reason: undefined }, setting)
      // In the mode bypass it runs outside, where only its words tell.
      if (cage === 'outside') return isReadOnlyCommand(command)
      return typeof cage === 'object' && cage.kind === 'read'
    },
    forget: (call) => void calls.delete(call),
  }
}

/** The plugin of plans keeps it: nothing is to be changed while one is made. */
function isPlanning(view: Viewed): boolean {
  return view.state('plan-mode', 'mode') === true
}
