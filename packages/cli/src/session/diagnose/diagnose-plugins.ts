import type { LoadedSettings } from '../../settings/load-settings.js'
import { loadPlugin } from '../plugins/load-plugin.js'
import { pluginRequests } from '../plugins/plugin-request.js'
import type { Diagnosis } from '../session-controls.js'

/** Whether the packages that settings name have plugins in them. Those of an untrusted folder are not loaded. */
export async function diagnosePlugins(
  loaded: LoadedSettings,
  isTrusted: boolean,
  data: string,
): Promise<readonly Diagnosis[]> {
  const places = { data, isTrusted, root: loaded.root }
  return Promise.all(
    pluginRequests(loaded, isTrusted).map(async (request): Promise<Diagnosis> => {
      const name = `plugin ${request.package}`
      try {
        const plugins = await loadPlugin(request, places)
        return { name, status: 'ok', detail: plugins.map((plugin) => plugin.name).join(', ') }
      } catch (error) {
        const remedy = `Mend it, or take it out of ${request.from}.`
        return { name, status: 'failed', detail: (error as Error).message, remedy }
      }
    }),
  )
}
