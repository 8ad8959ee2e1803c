const FRAME =
  /^\s*(?:this|the) (?:session|conversation)\b[^.]{0,60}\b(?:goes on|continue[sd]?|continuing|resume[sd]?)\b/i

/** Whether a text opens what stands for an earlier part: its own words say that the session goes on. */
export function isFrame(text: string): boolean {
  return FRAME.test(text)
}
