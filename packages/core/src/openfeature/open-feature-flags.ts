import type { Client, EvaluationContext, EvaluationDetails } from '@openfeature/server-sdk'
import { NacreError } from '../errors.js'
import type { KnownFlag, LiveFlags } from '../types/plugin.js'

export interface OpenFeatureOptions {
  /** Whom the flags are evaluated for. */
  readonly context?: EvaluationContext
  /** Hears of flags that the provider has with another type than boolean. */
  report?(error: NacreError): void
  /** Ends listening for changes. */
  readonly signal?: AbortSignal
}

/**
 * Flags from an OpenFeature client. A turn reads what was last evaluated before it began, so a change takes effect on the
 * next turn; an error keeps the last value, and a flag that the provider does not have is left to the layers below.
 */
export function openFeatureFlags(
  client: Pick<Client, 'getBooleanDetails' | 'addHandler'>,
  { context, report, signal }: OpenFeatureOptions = {},
): LiveFlags {
  const evaluated = new Map<string, boolean>()
  let shown: ReadonlyMap<string, boolean> | undefined
  let known: readonly KnownFlag[] = []
  const newest = new Map<string, number>()
  let evaluations = 0

  async function evaluate(): Promise<void> {
    const evaluation = ++evaluations
    await Promise.all(
      known.map(async ({ name, value }) => {
        const details = await client.getBooleanDetails(name, value, context).catch(() => undefined)
        // An evaluation that a later one has overtaken has nothing new to say.
        if (!details || evaluation < (newest.get(name) ?? 0)) return
        newest.set(name, evaluation)
        keep(evaluated, details, report)
      }),
    )
  }

  const onChange = () => evaluate()
  // The strings of the SDK's enum: a value import would make an optional dependency a needed one.
  type Event = Parameters<Client['addHandler']>[0]
  client.addHandler('PROVIDER_READY' as Event, onChange, signal ? { signal } : {})
  client.addHandler('PROVIDER_CONFIGURATION_CHANGED' as Event, onChange, signal ? { signal } : {})

  return {
    read: (name) => shown?.get(name),
    async refresh(flags) {
      known = flags
      if (shown) shown = new Map(evaluated)
      await evaluate()
      shown ??= new Map(evaluated)
    },
  }
}

function keep(
  evaluated: Map<string, boolean>,
  { flagKey, value, errorCode, reason }: EvaluationDetails<boolean>,
  report: OpenFeatureOptions['report'],
): void {
  // Without a provider the SDK hands the default back, which is no opinion.
  if (errorCode === 'FLAG_NOT_FOUND' || reason === 'No-op') evaluated.delete(flagKey)
  else if (errorCode === undefined) evaluated.set(flagKey, value)
  else if (errorCode === 'TYPE_MISMATCH') {
    const message = `Flag '${flagKey}' is not a boolean in the OpenFeature provider; its last value stays. Make it one there.`
    report?.(new NacreError('INVALID_SETTINGS', message))
  }
}
