import { z } from 'zod';
import { type Arrangement, arrangeCollection } from '#db/catalogue/collections/arrange.ts';
import { setCollectionIcon } from '#db/catalogue/collections/icon.ts';
import { findCollection } from '#db/catalogue/collections/read.ts';
import { limits } from '#db/catalogue/collections/shape.ts';
import { editCollection, removeCollection } from '#db/catalogue/collections/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { isId } from '#db/platform/id.ts';
import { oneLine } from '#db/platform/plain-text/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { boundedText, idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { collectionEditPath } from '../../platform/paths/routes.ts';
import { bytesOfText, formRoute } from '../../platform/route/form.ts';
import { definePictureForm, pictureFormRoute } from '../../platform/route/picture-form.ts';
import type { Api } from '../../platform/route/types.ts';
import { readOrder } from '../../platform/ui/sort-order.ts';
import { collectionDescription, collectionName, collectionStatuses } from '../publish/create-forms.server.ts';

/** The field of a project's note. */
export const noteField = (project_id: string): string => `note_${project_id}`;
const note_prefix = noteField('');
/** Characters of a note: two lines on a card. */
export const max_note = 200;

const isNote = (text: string): boolean => boundedText(0, max_note).safeParse(text).success;

const ids = z
  .string()
  .default('')
  .transform((text) => readOrder(text))
  .pipe(z.array(idShape).max(limits.projects));

/**
 * A collection as its owner edits it: its texts; the order of its projects, the button that was pressed (`move`, or
 * `remove` with an id), those that were taken out, those that the page showed, and a note for each.
 */
export const editCollectionForm = defineForm({
  action: '/_internal/collections/edit',
  shape: z
    .object({
      id: idShape,
      name: collectionName,
      description: collectionDescription,
      status: z.enum(collectionStatuses).optional(),
      order: z.string().default(''),
      move: z.string().default(''),
      remove: z.string().default(''),
      removed: ids,
      shown: ids,
    })
    .catchall(z.string())
    .transform(({ order, move, remove, removed, shown, id, name, description, status, ...rest }) => ({
      id,
      change: { name, description, status },
      shown,
      order: readOrder(order, move).filter((one) => one !== remove && !removed.includes(one)),
      notes: Object.fromEntries(
        Object.entries(rest as Record<string, string>)
          .filter(([field]) => field.startsWith(note_prefix))
          .map(([field, text]) => [
            field.slice(note_prefix.length),
            text.includes('\0') ? text : oneLine(text),
          ]),
      ),
    }))
    .refine(({ order }) => order.length <= limits.projects && order.every(isId), { path: ['order'] })
    .refine(({ notes }) => Object.keys(notes).every(isId) && Object.values(notes).every(isNote), {
      path: ['notes'],
    }),
  fields: ['name', 'description', 'status', 'notes'],
  invalid: {
    name: 'create.collection_name_invalid',
    description: 'create.collection_description_invalid',
    notes: 'collection.note_invalid',
  },
  errors: { moderators_only: 'status' },
});

export const deleteCollectionForm = defineForm({
  action: '/_internal/collections/delete',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});

export const collectionIconForm = definePictureForm('/_internal/collections/icon');

const list = '/dashboard/collections';
/** The page that edits a collection; a broken id has none. */
const pageOf = (id: unknown): string =>
  idShape.safeParse(id).success ? collectionEditPath(id as string) : list;

/** Bytes of what can be undone. */
const max_undo = 2000;

/** An arrangement as the fields of the form. */
const listFields = ({ order, shown, notes }: Arrangement): Record<string, string> => ({
  order: order.join(' '),
  shown: shown.join(' '),
  ...Object.fromEntries(
    Object.entries(notes).map(([project_id, note]) => [noteField(project_id), note ?? '']),
  ),
});

/** The forms of the page that edits a collection. */
export function collectionFormRoutes(api: Api, services: AppServices): void {
  const { sql, storage, log } = services;
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;
  const needs = ['COLLECTION_WRITE'] as const;
  const page = ({ id }: Record<string, unknown>) => pageOf(id);

  formRoute(api, editCollectionForm, {
    needs,
    page,
    limit_bytes: bytesOfText(limits.projects * max_note),
    async run({ actor, fields: { id, change, ...arrangement }, now }) {
      const { before, arranged } = await begin(async (tx) => {
        const before = await findCollection({ ...services, sql: tx }, id, actor);
        if (!before) throw new Refused('not_found');
        await editCollection(tx, actor, id, change, now);
        return { before, arranged: await arrangeCollection(tx, actor, id, arrangement, now) };
      });
      const { name, description, status } = before;
      const texts = { id, name, description: description ?? '', status };
      const all = { ...texts, ...listFields(arranged) };
      // it travels in a cookie: only the texts of a long list can be undone
      const previous = Buffer.byteLength(JSON.stringify(all)) <= max_undo ? all : texts;
      return { to: `${pageOf(id)}?saved=1`, previous };
    },
  });

  formRoute(api, deleteCollectionForm, {
    needs: ['COLLECTION_DELETE'],
    page,
    async run({ actor, fields: { id } }) {
      const prefix = await begin(async (tx) => await removeCollection(tx, actor, id));
      await storage.removeAll(prefix).catch((err: unknown) => {
        log.warn({ err, collection_id: id }, 'The icon of a deleted collection could not be removed');
      });
      return { to: `${list}?deleted=1` };
    },
  });

  pictureFormRoute(api, collectionIconForm, {
    needs,
    page: pageOf,
    async set(actor, id, icon) {
      if (!idShape.safeParse(id).success) throw new Refused('not_found');
      await setCollectionIcon(begin, storage, { actor, id, now: services.now() }, icon);
    },
  });
}
