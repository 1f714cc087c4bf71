import sharp from 'sharp';
import { newId } from '#db/platform/id.ts';
import type { TestApi } from '../api.ts';
import { jar } from '../versions.ts';
import { filledPath, type Sample, sampleOf } from './samples.ts';
import type { World } from './world.ts';

/** What a test changes in the right request: other path, query, body or headers. */
export interface Changed {
  token?: string | null;
  path?: string;
  query?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
}

let sent = 0;
let png: Promise<Buffer> | undefined;
const picture = async (): Promise<Buffer> => {
  png ??= sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  return await png;
};

export const fill = (text: string, values: World['values']): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name === 'unique' ? newId().toLowerCase() : (values[name] ?? whole),
  );

/** The right request of a served route, with what is changed in it; the token is the caller's to send. */
export async function prepared(
  world: World,
  route: string,
  changed: Changed = {},
): Promise<{ method: string; url: string; headers: Record<string, string>; body?: BodyInit }> {
  const [method = '', path = ''] = route.split(' ');
  const sample = sampleOf(route);
  const query = changed.query ?? queryOf(sample, world);
  const { body, headers } =
    changed.body === undefined ? await bodyOf(sample, world) : { body: changed.body, headers: {} };
  return {
    method,
    url: `${fill(changed.path ?? filledPath(path, sample.path), world.values)}${query}`,
    headers: { ...headers, ...changed.headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** Sends the right request of a served route, with what is changed in it, from an address of its own. */
export async function request(
  api: TestApi,
  world: World,
  route: string,
  changed: Changed = {},
): Promise<Response> {
  const { method, url, ...of } = await prepared(world, route, changed);
  const address = `10.${sent >> 16}.${(sent >> 8) & 255}.${sent++ & 255}`;
  return await api.call(method, url, { ...of, ...(changed.token ? { token: changed.token } : {}), address });
}

function queryOf({ query }: Sample, { values }: World): string {
  if (!query) return '';
  const filled = Object.entries(query).map(([name, value]) => [name, fill(value, values)]);
  return `?${new URLSearchParams(filled as Array<[string, string]>)}`;
}

async function bodyOf(
  { json, form: fields, data, file, picture: raw }: Sample,
  { values }: World,
): Promise<{ body?: BodyInit; headers: Record<string, string> }> {
  if (json !== undefined) {
    return { body: fill(JSON.stringify(json), values), headers: { 'content-type': 'application/json' } };
  }
  if (fields) {
    const filled = Object.entries(fields).map(([name, value]) => [name, fill(value, values)]);
    return {
      body: String(new URLSearchParams(filled as Array<[string, string]>)),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
  }
  if (raw) return { body: new Uint8Array(await picture()), headers: { 'content-type': 'image/png' } };
  if (!data) return { headers: {} };
  const form = new FormData();
  form.append('data', fill(JSON.stringify(data), values));
  if (file !== false) form.append('file', new Blob([new Uint8Array(await jar(`${sent}`))]), `${sent}.jar`);
  return { body: form, headers: {} };
}
