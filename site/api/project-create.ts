import {
  createProject,
  type NewProject,
  validateNewProject,
} from '#db/catalogue/publishing/create-project.ts';
import type { CreateData } from '#db/catalogue/publishing/shape.ts';
import { type Preparing, prepareInitial } from '#db/catalogue/versions/prepare.ts';
import { Refused } from '#db/platform/errors.ts';
import { processGallery, processIcon } from '#db/platform/files/image.ts';
import { uploadQuota } from '#db/platform/files/quota.ts';
import { extensionOf } from '#db/platform/files/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { rendererFor } from '#db/platform/text/rendered.ts';
import type { RouteContext } from '../platform/route/types.ts';
import { countWritten } from '../platform/route/written-bytes.ts';
import { type ReceivedFile, receive } from '../platform/upload/upload.ts';

/** Maximum number of parts in one form, the parser's own limit. */
const maxParts = 1000;

/** What a version of the API makes of the `data` part; `modpack`: files of every name are packs (v2). */
export interface ParsedProject {
  data: CreateData;
  modpack: boolean;
}

/**
 * POST of a project in either version: validates `data` before any file is read, does everything slow before the
 * transaction, and gives the id of the project.
 */
export async function postProject(
  {
    request,
    services,
    sql,
    actor,
    now,
    begin,
  }: Pick<RouteContext<never, never, never>, 'request' | 'services' | 'sql' | 'now' | 'begin'> & {
    actor: Actor;
  },
  parsed: (sent: unknown) => ParsedProject,
): Promise<string> {
  let project: ParsedProject | undefined;
  const received = await receive(request, services, {
    max_files: maxParts,
    quota: await uploadQuota(sql, actor.user_id, now),
    onData: async (sent) => {
      project = parsed(sent);
      validateNewProject(actor, project.data);
      await countWritten(services, actor, Buffer.byteLength(JSON.stringify(sent)));
    },
    kind: (part) => kindOf(project!.data, part),
  });
  try {
    const from = { account: actor.user_id, signal: request.signal };
    const renderer = rendererFor(services.renderer, from);
    const made = await prepare({ ...services, renderer }, project!, received.files);
    return await createProject(begin, services.storage, actor, made, now);
  } finally {
    await received.discard();
  }
}

function kindOf({ gallery_items, initial_versions }: CreateData, part: string): ReceivedFile['kind'] | null {
  if (part === 'icon') return 'icon';
  if (gallery_items?.some(({ item }) => item === part)) return 'gallery';
  return initial_versions.some(({ file_parts }) => file_parts.includes(part)) ? 'file' : null;
}

async function prepare(
  preparing: Preparing,
  { data, modpack }: ParsedProject,
  files: readonly ReceivedFile[],
): Promise<NewProject> {
  const ofKind = (kind: ReceivedFile['kind']) => files.filter((file) => file.kind === kind);
  const icon = ofKind('icon')[0];
  const [gallery, versions, body] = [
    await galleryOf(data, ofKind('gallery')),
    await prepareInitial(preparing, data.initial_versions, ofKind('file'), { modpack }),
    await preparing.renderer.render(data.body),
  ];
  return {
    data,
    body,
    versions,
    gallery,
    icon: icon ? await processIcon(await allOf(icon), extensionOf(icon.filename)) : null,
  };
}

/** The gallery images; every declared one must have arrived, under a unique name. */
async function galleryOf(
  { gallery_items }: CreateData,
  files: readonly ReceivedFile[],
): Promise<NewProject['gallery']> {
  const gallery: Array<NewProject['gallery'][number]> = [];
  for (const { item } of gallery_items ?? []) {
    const file = files.find(({ part }) => part === item);
    if (!file) throw new Refused('part_missing', { part: item });
    if (gallery.some((other) => other.item === item)) throw new Refused('part_repeated', { part: item });
    gallery.push({
      item,
      picture: await processGallery(await allOf(file), extensionOf(file.filename)),
    });
  }
  return gallery;
}

/** All bytes of a received image; its size is bounded. */
async function allOf({ content, size }: ReceivedFile): Promise<Buffer> {
  const bytes = await content.open();
  try {
    return await bytes.readAt(0, size);
  } finally {
    await bytes.close();
  }
}
