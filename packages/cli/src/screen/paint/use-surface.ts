import { useEffect, useState } from 'react'
import { sizeOf } from './size-of.js'

/** The size of the terminal, as it is now. */
export function useSurface(stdout: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  const [size, setSize] = useState(() => sizeOf(stdout))
  useEffect(() => {
    const measure = () => setSize(sizeOf(stdout))
    stdout.on('resize', measure)
    return () => {
      stdout.off('resize', measure)
    }
  }, [stdout])
  return size
}
