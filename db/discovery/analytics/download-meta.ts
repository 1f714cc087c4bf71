import { z } from 'zod';
import { isLoader } from '../../catalogue/tags/rules.ts';
import { Refused } from '../../platform/errors.ts';
import { isId } from '../../platform/id.ts';

const downloadReasons = ['standalone', 'dependency', 'modpack', 'update'] as const;

/** What a client says about a download. Source: api-v2 §15; api-behaviours §10. */
export interface DownloadMeta {
  reason?: (typeof downloadReasons)[number];
  game_version?: string;
  loader?: string;
  /** The project or version that needs the file. */
  dependent_on?: string;
}

const header_name = 'modrinth-download-meta';
const max_length = 1024;

// a bad value only loses itself
const one = <S extends z.ZodType>(shape: S) => shape.optional().catch(undefined);
const strict = z.object({
  reason: z.enum(downloadReasons).optional(),
  game_version: z
    .string()
    .regex(/^[\w.+ -]{1,64}$/, 'is not a game version')
    .optional(),
  loader: z.string().refine(isLoader, 'is not a loader').optional(),
  dependent_on: z.string().refine(isId, 'is not an ID').optional(),
});
const { reason, game_version, loader, dependent_on } = strict.shape;
const shape = z.object({
  reason: one(reason),
  game_version: one(game_version),
  loader: one(loader),
  dependent_on: one(dependent_on),
});

/**
 * What a request says about the download, by its header or else by the query of its URL; null when it says nothing
 * valid. Never throws: a download does not fail because of it.
 */
export function downloadMetaOf(
  headers: Record<string, string | string[] | undefined>,
  url: string,
): DownloadMeta | null {
  const given = inHeader(headers[header_name]) ?? inQuery(url);
  const parsed = shape.safeParse(given);
  if (!parsed.success) return null;
  const known = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return known.length > 0 ? (Object.fromEntries(known) as DownloadMeta) : null;
}

/** The same where a bad value is an error: refuses `invalid_input`. Source: api-behaviours §10. */
export function checkedDownloadMeta(headers: Record<string, string>, url: string): DownloadMeta | null {
  const header = inHeader(headers[header_name]);
  if (headers[header_name] !== undefined && header === undefined)
    throw new Refused('invalid_input', {
      problem: `${header_name}: must be JSON of at most ${max_length} bytes`,
    });
  const parsed = strict.safeParse(header ?? inQuery(url) ?? {});
  if (parsed.success) return downloadMetaOf(headers, url);
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  throw new Refused('invalid_input', { problem: `${[header_name, ...path].join('.')}: ${message}` });
}

function inHeader(header: string | string[] | undefined): unknown {
  if (typeof header !== 'string' || header.length > max_length) return undefined;
  try {
    return JSON.parse(header);
  } catch {
    return undefined;
  }
}

function inQuery(url: string): unknown {
  const start = url.indexOf('?');
  if (start < 0 || url.length - start > max_length) return undefined;
  const query = new URLSearchParams(url.slice(start + 1));
  const value = (name: string) => query.get(`mr_${name}`) ?? undefined;
  return {
    reason: value('download_reason'),
    game_version: value('game_version'),
    loader: value('loader'),
    dependent_on: value('dependent_on'),
  };
}
