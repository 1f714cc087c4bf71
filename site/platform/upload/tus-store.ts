import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { uploadsOf } from '#db/catalogue/uploads/read.ts';
import type { RunningHashes } from '#db/catalogue/uploads/running-hashes.ts';
import { announceUpload, discardPartials, removeUploads, touchUpload } from '#db/catalogue/uploads/write.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { PartialMoved } from '#db/platform/storage/storage.ts';
import type { AppServices } from '../context.ts';
import type { Body } from './upload-body.ts';

type StoreServices = Pick<AppServices, 'sql' | 'storage' | 'settings' | 'now'>;

/**
 * Uploads of one person for one request to a server of tus: rows in the database, bytes in the storage, hashed as they arrive. They come
 * from `body`, past the streams of the server, each of which would look at every chunk.
 */
export class TusStore extends DataStore {
  override extensions = ['creation', 'termination'];
  readonly #services: StoreServices;
  readonly #hashes: RunningHashes;
  readonly #actor: Actor;
  readonly #body: Body;
  /** Of the upload of this request. */
  #size = 0;

  constructor(services: StoreServices, hashes: RunningHashes, { actor, body }: { actor: Actor; body: Body }) {
    super();
    this.#body = body;
    this.#services = services;
    this.#hashes = hashes;
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
    this.#size = row.size;
    return upload;
  }

  /** Refuses `not_found`, for the uploads of others too. */
  override async getUpload(id: string): Promise<Upload> {
    const { sql, storage, now } = this.#services;
    const [row] = await uploadsOf(sql, this.#actor, [id], now());
    if (!row) throw new Refused('not_found');
    const { filename, project_id, size } = row;
    const offset = (await storage.partial(id))?.size ?? 0;
    this.#size = size;
    return new Upload({ id, size, offset, metadata: { filename, project_id } });
  }

  /** Bytes that arrived stay, also when the connection breaks off: the client asks where to continue. */
  override async write(_empty: Readable, id: string, offset: number): Promise<number> {
    const { sql, storage, now } = this.#services;
    const chunks = atMost(this.#size - offset, this.#body);
    try {
      return await storage.appendPartial(id, offset, this.#hashes.through(id, offset, chunks));
    } catch (error) {
      this.#hashes.agree(id, (await storage.partial(id))?.size ?? 0);
      throw error instanceof PartialMoved ? ERRORS.INVALID_OFFSET : error;
    } finally {
      await touchUpload(sql, id, now());
    }
  }

  override async remove(id: string): Promise<void> {
    await this.getUpload(id);
    const { sql, storage } = this.#services;
    this.#hashes.forget([id]);
    await discardPartials(storage, await removeUploads(sql, this.#actor, [id]));
  }
}

/** The chunks of a body; throws the server's refusal (413) at the first one beyond `limit` bytes. */
async function* atMost(limit: number, body: Body): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    bytes += chunk.length;
    if (bytes > limit) throw ERRORS.ERR_MAX_SIZE_EXCEEDED;
    yield chunk;
  }
}

const wrong = (problem: string) => new Refused('invalid_input', { problem });
