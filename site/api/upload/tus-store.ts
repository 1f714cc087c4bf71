import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { idShape } from '#db/shape.ts';
import { PartialMoved } from '#db/storage/storage.ts';
import { uploadsOf } from '#db/uploads/read.ts';
import { announceUpload, discardPartials, removeUploads, touchUpload } from '#db/uploads/write.ts';
import type { AppServices } from '../../context.ts';

/** Uploads of one person for a server of tus: rows in the database, bytes in the storage. */
export class TusStore extends DataStore {
  override extensions = ['creation', 'termination'];
  readonly #services: Pick<AppServices, 'sql' | 'storage' | 'settings' | 'now'>;
  readonly #actor: Actor;

  constructor(services: Pick<AppServices, 'sql' | 'storage' | 'settings' | 'now'>, actor: Actor) {
    super();
    this.#services = services;
    this.#actor = actor;
  }

  /** Refuses `invalid_input` without a size, filename and project in the metadata, and as `announceUpload`. */
  override async create(upload: Upload): Promise<Upload> {
    const { sql, settings, now } = this.#services;
    const { filename, project_id } = upload.metadata ?? {};
    const { id, size } = upload;
    if (!filename || !idShape.safeParse(project_id).success)
      throw wrong('the metadata must hold filename and project_id');
    if (!filename.isWellFormed() || filename.includes('\0')) throw wrong('the filename is not valid text');
    if (!Number.isSafeInteger(size) || size! < 0) throw wrong('the length must be a whole number of bytes');
    const row = { id, project_id: project_id!, filename, size: size! };
    await sql.begin(async (tx) => await announceUpload(tx, this.#actor, row, { settings, now: now() }));
    return upload;
  }

  /** Refuses `not_found`, for the uploads of others too. */
  override async getUpload(id: string): Promise<Upload> {
    const { sql, storage, now } = this.#services;
    const [row] = await uploadsOf(sql, this.#actor, [id], now());
    if (!row) throw new Refused('not_found');
    const { filename, project_id, size } = row;
    const offset = (await storage.partial(id))?.size ?? 0;
    return new Upload({ id, size, offset, metadata: { filename, project_id } });
  }

  /** Bytes that arrived stay, also when the connection breaks off: the client asks where to continue. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { sql, storage, now } = this.#services;
    try {
      return await storage.appendPartial(id, offset, stream);
    } catch (error) {
      throw error instanceof PartialMoved ? ERRORS.INVALID_OFFSET : error;
    } finally {
      await touchUpload(sql, id, now());
    }
  }

  override async remove(id: string): Promise<void> {
    await this.getUpload(id);
    const { sql, storage } = this.#services;
    await discardPartials(storage, await removeUploads(sql, this.#actor, [id]));
  }
}

const wrong = (problem: string) => new Refused('invalid_input', { problem });
