/** The header without which a signed summary is neither made nor taken. */
export const SERVER_BETA = 'compact-2026-09-04'
