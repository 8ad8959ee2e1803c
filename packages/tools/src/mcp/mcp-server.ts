import { z } from 'zod'

const texts = z.record(z.string(), z.string())

const local = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  /** Its hints about tools that only read are believed. Ignored in a file of the project. */
  trusted: z.boolean().optional(),
})

const remote = z.object({
  type: z.enum(['http', 'sse']).optional(),
  url: z.string().min(1),
  headers: texts.optional(),
  trusted: z.boolean().optional(),
})

/** How a server is reached: a command that talks over its standard streams, or an address. */
export const mcpServer = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    if ('command' in value === 'url' in value) context.addIssue({ code: 'custom', message: 'give a command or a url' })
  })
  .transform((value, context) => {
    const { success, data, error } = ('command' in value ? local : remote).safeParse(value)
    if (success) return data
    for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path: [...path], message })
    return z.NEVER
  })

export type LocalServer = z.output<typeof local>
export type RemoteServer = z.output<typeof remote>
export type McpServer = LocalServer | RemoteServer

export function isLocal(server: McpServer): server is LocalServer {
  return 'command' in server
}
