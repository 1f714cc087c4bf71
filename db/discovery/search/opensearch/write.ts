import { type CounterChange, coalesce } from '../documents/coalesce.ts';
import type { DocumentChange, SearchDocument } from '../engine.ts';
import { bulk, type Operation } from './bulk.ts';
import { projectMapping, projectSettings, refresh_interval, stateMapping, stateSettings } from './mapping.ts';
import { isProjects, type Names, newProjects, stateId } from './names.ts';
import type { Server } from './server.ts';
import { stored } from './stored.ts';

/** A counter is stored in the project and in each of its rows. */
export const setCounters =
  'ctx._source.putAll(params.counters); for (row in ctx._source.rows) { row.putAll(params.counters) }';
export const countUp = 'ctx._source.generation += 1';

const put = (index: string, doc: SearchDocument): Operation => [
  { index: { _index: index, _id: doc.project_id } },
  stored(doc),
];
/** Only through the alias: the server would create an index of an unknown name. */
const putByAlias = (alias: string, doc: SearchDocument): Operation => [
  { index: { _index: alias, _id: doc.project_id, require_alias: true } },
  stored(doc),
];
const changedCounters = (alias: string, { touch: _id, ...counters }: CounterChange): Operation => [
  { update: { _index: alias, _id, require_alias: true, retry_on_conflict: 3 } },
  { script: { lang: 'painless', source: setCounters, params: { counters } } },
];

/** Applies changes and gives the new generation. Throws when the server did not accept all of them. */
export async function applyChanges(server: Server, names: Names, changes: DocumentChange[]): Promise<number> {
  const { puts, removes, touches } = coalesce(changes);
  const alias = names.projects;
  await bulk(
    server,
    [
      ...puts.map((doc) => putByAlias(alias, doc)),
      ...removes.map((_id): Operation => [{ delete: { _index: alias, _id } }]),
      ...touches.map((touch) => changedCounters(alias, touch)),
    ],
    'wait_for',
  );
  return await countChange(server, names);
}

/** Increments the generation of the index. */
async function countChange(server: Server, { state }: Names): Promise<number> {
  const operation: Operation = [
    { update: { _index: state, _id: stateId, retry_on_conflict: 3 } },
    { script: { lang: 'painless', source: countUp }, upsert: { generation: 1 }, _source: true },
  ];
  const [item] = await bulk(server, [operation], false);
  return Number(item?.update?.get?._source?.generation);
}

/**
 * Builds a new index next to the old one and swaps the alias in one step, so that a search always finds a complete
 * index. Left-overs of an earlier rebuild are deleted with the old index. Gives the generation.
 */
export async function rebuildFrom(
  server: Server,
  names: Names,
  docs: AsyncIterable<SearchDocument>,
  shards: number,
): Promise<number> {
  const index = newProjects(names);
  await create(server, index, { settings: projectSettings(shards), mappings: projectMapping });
  try {
    await fill(server, index, docs);
  } catch (error) {
    // report the first error; the next rebuild removes the rest
    await server.request((client) => client.indices.delete({ index })).catch(() => {});
    throw error;
  }
  if (!(await server.request((client) => client.indices.exists({ index: names.state }))).body)
    await create(server, names.state, { settings: stateSettings, mappings: stateMapping });
  await switchAlias(server, names, index);
  return await countChange(server, names);
}

type NewIndex = { settings: object; mappings: object };
const create = (server: Server, index: string, body: NewIndex) =>
  server.request((client) => client.indices.create({ index, body }));

async function fill(server: Server, index: string, docs: AsyncIterable<SearchDocument>): Promise<void> {
  let waiting: SearchDocument[] = [];
  const flush = async () => {
    const operations = waiting.map((doc) => put(index, doc));
    waiting = [];
    await bulk(server, operations, false);
  };
  for await (const doc of docs) if (waiting.push(doc) >= 250) await flush();
  await flush();
  await server.request((client) => client.indices.putSettings({ index, body: { refresh_interval } }));
  await server.request((client) => client.indices.refresh({ index }));
}

async function switchAlias(server: Server, names: Names, index: string): Promise<void> {
  const { body: known } = await server.request((client) =>
    client.indices.getAlias({ index: names.anyProjects }),
  );
  const others = Object.keys(known).filter((one) => one !== index && isProjects(names, one));
  const actions = [
    { add: { index, alias: names.projects } },
    ...others.map((old) => ({ remove_index: { index: old } })),
  ];
  await server.request((client) => client.indices.updateAliases({ body: { actions } }));
}
