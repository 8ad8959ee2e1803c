const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Numbers as people read them, the same in every command. */
export const figures = {
  /** `167,000` */
  count: (count: number): string => WHOLE.format(count),
  /** `$0.0123`: a hundredth of a cent, so that sums of small parts are right to the cent. */
  dollars: (dollars: number): string => `$${dollars.toFixed(4)}`,
  /** `83.2%` */
  percent: (share: number): string => `${(share * 100).toFixed(1)}%`,
  /** `1 message`, `2 messages` */
  counted: (count: number, what: string): string => `${WHOLE.format(count)} ${what}${count === 1 ? '' : 's'}`,
  /** `12 s`, `4 min 5 s`, `2 h 10 min`, `3 d` */
  duration(milliseconds: number): string {
    const seconds = Math.max(0, Math.round(milliseconds / 1_000))
    if (seconds < 60) return `${seconds} s`
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
    return `${Math.floor(seconds / 86_400)} d`
  },
}
