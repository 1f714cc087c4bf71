import { apiFetch } from '../../platform/browser/api-client.ts';
import type { PickedFile } from './draft.ts';

/**
 * The version that has a file of this hash already, as far as the user may see it: of a hidden project or version there is
 * none. Null also when nobody answers: the server looks again when the version is published.
 */
export async function publishedVersion(sha512: string, project_id: string): Promise<PickedFile['published']> {
  const found = await apiFetch('POST /v2/version_files', {
    json: { hashes: [sha512], algorithm: 'sha512' },
  });
  const version = found.ok ? found.data[sha512] : undefined;
  if (!version) return null;
  const project = await apiFetch('GET /v2/project/{id}', { path: { id: version.project_id } });
  if (!project.ok) return null;
  return {
    title: project.data.title,
    version_number: version.version_number,
    path: `/project/${version.project_id}/version/${version.id}`,
    is_own: version.project_id === project_id,
  };
}
