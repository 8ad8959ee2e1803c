/** What the model is told while plan mode is on. */
export const PLAN_MODE_ON = `Plan mode is on. Nothing may be changed now: calls of tools that change something are denied.
Read, search and ask until it is clear what to do. Then call ExitPlanMode with the plan; a person decides on it.`

/** What the model is told when somebody else has switched plan mode off. */
export const PLAN_MODE_OFF = 'Plan mode is off. Tools that change something can be used again.'

/** What a person is asked about a plan. The model reads it too when the answer is no. */
export function askForApproval(plan: string): string {
  return `A person has to approve this plan; without that, plan mode stays on.\n\n${plan}`
}

/** Why a call is denied while plan mode is on, and what to do instead. */
export function deniedInPlanMode(tool: string): string {
  return `Plan mode is on, and this call of ${tool} may change something, so it did not run. Go on with tools that only read, and put what this call was meant to do into the plan that you give to ExitPlanMode.`
}
