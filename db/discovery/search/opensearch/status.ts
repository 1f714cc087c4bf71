import type { SearchStatus } from '../engine.ts';
import { format } from './mapping.ts';
import { type Names, stateId } from './names.ts';
import { isMissing, type Server } from './server.ts';

/** Whether the index behind the alias has the format of this code. */
export async function isCurrent(server: Server, { projects }: Names): Promise<boolean> {
  try {
    const { body } = await server.request((client) => client.indices.getMapping({ index: projects }));
    const made = Object.values(body).map(({ mappings }) => mappings._meta?.format);
    return made.length === 1 && made[0] === format;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** An older status is refreshed in the background. */
const status_max_age_ms = 1_000;

/** Cached status of the index, refreshed in the background. */
export function statusOf(server: Server, names: Names) {
  const { projects, state } = names;
  let last: SearchStatus = { engine: 'opensearch', ready: false, documents: 0, generation: 0, bytes: 0 };
  let requested_at = 0;
  const changedTo = (generation: number) => {
    if (generation > last.generation) last = { ...last, generation };
  };

  const refresh = async () => {
    const [ready, documents, bytes, generation] = await Promise.all([
      isCurrent(server, names),
      server.request((client) => client.count({ index: projects })),
      server.request((client) => client.indices.stats({ index: projects, metric: ['store'] })),
      server.request((client) => client.get({ index: state, id: stateId })),
    ]);
    last = {
      ...last,
      ready,
      documents: documents.body.count,
      bytes: bytes.body._all?.total?.store?.size_in_bytes ?? 0,
    };
    changedTo(Number((generation.body._source as { generation: number }).generation));
  };

  return {
    generation: () => last.generation,
    changedTo,
    status: (): SearchStatus => {
      if (Date.now() - requested_at > status_max_age_ms) {
        requested_at = Date.now();
        refresh().catch(() => {
          last = { ...last, ready: false };
        });
      }
      return last;
    },
  };
}
