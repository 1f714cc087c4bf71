import { Refused } from '#db/errors.ts';
import { processGallery, processIcon } from '#db/files/image.ts';
import { uploadQuota } from '#db/files/quota.ts';
import { extensionOf } from '#db/files/rules.ts';
import type { Actor } from '#db/people/rules.ts';
import { findProject } from '#db/projects/read.ts';
import type { Project } from '#db/projects/shape.ts';
import { createProject, type NewProject, validateNewProject } from '#db/publishing/create-project.ts';
import { type CreateData, createShape } from '#db/publishing/shape.ts';
import { environmentOf } from '#db/tags/rules.ts';
import { rendererFor } from '#db/text/rendered.ts';
import { type Preparing, prepareInitial } from '#db/versions/prepare.ts';
import { parse } from '../route/endpoint.ts';
import type { RouteContext } from '../route/types.ts';
import { type ReceivedFile, receive } from '../upload/upload.ts';

/** Maximum number of parts in one form, the parser's own limit. */
const maxParts = 1000;

/** POST /project: validates `data` before any file is read, and does everything slow before the transaction. */
export async function postProject({
  request,
  services,
  sql,
  actor,
  now,
  begin,
}: RouteContext<never, never, never> & { actor: Actor }): Promise<Project> {
  let data: CreateData | undefined;
  const received = await receive(request, services, {
    max_files: maxParts,
    quota: await uploadQuota(sql, actor.user_id, now),
    onData: (sent) => {
      data = parse(createShape, sent) as CreateData;
      validateNewProject(actor, data);
    },
    kind: (part) => kindOf(data!, part),
  });
  try {
    const from = { account: actor.user_id, signal: request.signal };
    const renderer = rendererFor(services.renderer, from);
    const made = await prepare({ ...services, renderer }, data!, received.files);
    const id = await createProject(begin, services.storage, actor, made, now);
    const project = await findProject(services, id, actor);
    if (!project) throw new Refused('not_found'); // deleted meanwhile
    return project;
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
  data: CreateData,
  files: readonly ReceivedFile[],
): Promise<NewProject> {
  const environment = environmentOf(data.client_side, data.server_side);
  const initial = data.initial_versions.map((version) => ({
    ...version,
    environment: version.environment ?? environment,
  }));
  const ofKind = (kind: ReceivedFile['kind']) => files.filter((file) => file.kind === kind);
  const icon = ofKind('icon')[0];
  const [gallery, versions, body] = [
    await galleryOf(data, ofKind('gallery')),
    await prepareInitial(preparing, initial, ofKind('file'), { modpack: data.project_type === 'modpack' }),
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
