import { useEffect, useState } from 'react'

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

/** A terminal that does not tell its size is taken for a usual one. */
export function sizeOf({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 }
}
