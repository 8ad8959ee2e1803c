import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

const LIMIT_MS = 60_000

/** A program on a real pseudo-terminal, and the screen as a person would see it. */
export interface PseudoTerminal {
  type(keys: string): void
  resize(columns: number, rows: number): Promise<void>
  /** All lines, those that have scrolled away too. */
  text(): string
  /** The lines that are on the screen now. */
  screen(): string
  /** Everything that was written, with its control sequences. */
  raw(): string
  cursor(): { readonly x: number; readonly y: number }
  /** Waits until the text has it; fails with the screen where it never does. */
  see(wanted: string | RegExp): Promise<void>
  /** Waits until it is no longer on the screen. */
  lose(unwanted: string | RegExp): Promise<void>
  until(holds: () => boolean, what: string): Promise<void>
  readonly exit: Promise<number>
  /** The signal that ended the program; 0 where it ended by itself. */
  readonly signal: Promise<number>
  /** Of the program. */
  readonly pid: number
  /** As a window that is closed. */
  hangUp(): void
  kill(): void
}

export interface PseudoTerminalOptions {
  readonly command: readonly [program: string, ...args: string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns?: number
  readonly rows?: number
}

export function pseudoTerminal({ command, cwd, env, columns = 80, rows = 24 }: PseudoTerminalOptions): PseudoTerminal {
  const view = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true })
  const [program, ...args] = command
  const child = spawn(program, args, { cols: columns, rows, cwd, env: { ...env }, name: 'xterm-256color' })
  let raw = ''
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  child.onData((data) => {
    raw += data
    view.write(data, tell)
  })
  // The view takes its time: whoever knows of the end has to see all that came before it.
  const ended = new Promise<{ exitCode: number; signal?: number }>((resolve) =>
    child.onExit((end) => view.write('', () => resolve(end))),
  )
  const exit = ended.then(({ exitCode }) => exitCode)
  const lines = (from: number) =>
    Array.from({ length: view.buffer.active.length - from }, (_, index) =>
      (view.buffer.active.getLine(from + index)?.translateToString(true) ?? '').trimEnd(),
    )
      .join('\n')
      .trimEnd()
  const text = () => lines(0)
  const until = (holds: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!holds()) return
        settle()
        resolve()
      }
      const settle = () => {
        clearTimeout(timer)
        listeners.delete(check)
      }
      const timer = setTimeout(() => {
        settle()
        reject(new Error(`Waited in vain for ${what}. The screen:\n${text()}`))
      }, LIMIT_MS)
      listeners.add(check)
      check()
    })
  const has = (wanted: string | RegExp, where: string) =>
    typeof wanted === 'string' ? where.includes(wanted) : wanted.test(where)
  const screen = () => lines(view.buffer.active.baseY)
  return {
    type: (keys) => child.write(keys),
    async resize(nextColumns, nextRows) {
      view.resize(nextColumns, nextRows)
      child.resize(nextColumns, nextRows)
    },
    text,
    screen,
    raw: () => raw,
    cursor: () => ({ x: view.buffer.active.cursorX, y: view.buffer.active.cursorY }),
    see: (wanted) => until(() => has(wanted, text()), String(wanted)),
    lose: (unwanted) => until(() => !has(unwanted, screen()), `the end of ${unwanted}`),
    until,
    exit,
    signal: ended.then(({ signal = 0 }) => signal),
    pid: child.pid,
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    kill: () => child.kill('SIGKILL'),
  }
}
