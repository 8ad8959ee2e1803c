import type { NacreError, SessionDetails, SessionSummary } from '@nacre/core'
import type { Ask } from '@nacre/tools'
import type { TrustItem } from '../trust/what-needs-trust.js'

/** What a session needs from whoever opens it. All may be left out where nobody is there to be asked. */
export interface OpenNeeds {
  /** Asks a person whether a call may run. Without it the answer is no. */
  readonly ask?: SessionDetails['ask']
  /** Shows the model's own questions to a person. */
  readonly askUser?: Ask
  /** Asks whether a folder may bring along what it names. Without it, it may not, and the session says so. */
  trustAsked?(question: TrustQuestion): Promise<boolean>
  /** Lets a person choose where more than one session is meant; `undefined` for none of them. */
  pickSession?(sessions: readonly SessionSummary[]): Promise<string | undefined>
  /** Hears of what fails without ending a query. Must not throw. */
  report?(error: NacreError): void
}

/** What a person has to know to trust a folder or not. */
interface TrustQuestion {
  readonly folder: string
  /** What the folder would start or allow; never empty. */
  readonly items: readonly TrustItem[]
}
