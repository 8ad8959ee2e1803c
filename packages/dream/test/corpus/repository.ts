/** What the repository of the conversations shows by itself: files, packages and scripts. */
export const REPOSITORY: readonly string[] = [
  'package.json',
  'pnpm-lock.yaml',
  'src/server.ts',
  'src/billing/invoice.ts',
  'src/auth/session.ts',
  'src/routes/orders.ts',
  'migrations/0042_add_tax.sql',
  'web/App.tsx',
  'web/vite.config.ts',
  'docker-compose.yml',
  'fastify',
  'react',
  'vite',
  'vitest',
  'drizzle-orm',
  'zod',
  'tailwindcss',
]

/** The lines of its instruction file. */
export const INSTRUCTIONS: readonly string[] = [
  'Run `pnpm test` before each commit.',
  'Every route has a zod schema for its input.',
  'Database access goes through drizzle-orm.',
]
