/**
 * Ends the process by the signal that a closed terminal sends, as programs do whose terminal is gone. By another way
 * Node would first try to leave the terminal as it was, and abort where it can not.
 */
export function endHungUp(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
