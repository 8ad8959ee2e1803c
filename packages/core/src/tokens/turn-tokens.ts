/** Tokens that a whole turn, a response and what is said to it, has beside its blocks: roles, frames of calls and results. */
export const TURN_TOKENS = 64

/** The same for what is said to a response whose own size is known: measured on recorded sessions. */
export const USER_TURN_TOKENS = 8
