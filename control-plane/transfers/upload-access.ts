import { randomUUID } from 'node:crypto';
import { isRestoring } from '#db/hosting/servers/operations/operations.ts';
import { whyNotChangeFiles } from '#db/hosting/servers/rules.ts';
import {
  deleteUpload,
  type FoundUpload,
  findUpload,
  holdUpload,
  releaseUpload,
  upload_hold_ms,
} from '#db/hosting/servers/uploads.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { askFiles, type FileQueryOutput, type ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import type { OpenTransfer, OpenTransfers } from './open-transfers.ts';

/** An upload by the secret of its address. */
interface Wanted {
  secret: string;
  /** Only one of a server on this node. */
  node_id?: string;
}

/** An upload that one request has for itself. */
export interface HeldUpload {
  upload_id: string;
  server: ServerOnNode;
  release(): Promise<void>;
}

/**
 * What may be done with uploads, wherever their bytes pass: through a plane, or to an agent directly. Each refuses as `findUpload`.
 */
export class UploadAccess {
  readonly #context: PlaneContext;
  readonly #open: OpenTransfers;

  constructor(context: PlaneContext, open: OpenTransfers) {
    [this.#context, this.#open] = [context, open];
  }

  async #find({ secret, node_id }: Wanted): Promise<FoundUpload & { on_node: ServerOnNode }> {
    const { sql, now } = this.#context;
    const upload = await findUpload(sql, secret, now());
    const on_node = { id: upload.server.view.id, node_id: upload.server.node_id };
    if (node_id !== undefined && on_node.node_id !== node_id) throw new Refused('upload_not_found');
    return { ...upload, on_node };
  }

  /** How far it is. Refuses as `askFiles`. */
  async offset(wanted: Wanted): Promise<FileQueryOutput<'upload_offset'>> {
    const { upload_id, on_node } = await this.#find(wanted);
    return await askFiles(this.#context, on_node, 'upload_offset', { upload_id });
  }

  /** Removes what arrived, and ends its address. Refuses as `askFiles`. */
  async cancel(wanted: Wanted): Promise<void> {
    const { upload_id, on_node } = await this.#find(wanted);
    await askFiles(this.#context, on_node, 'upload_cancel', { upload_id });
    await deleteUpload(this.#context.sql, upload_id);
  }

  /**
   * Takes it for one request that brings bytes. `end` is called when the right to it, or the hold, is lost. Refuses as
   * `whyNotChangeFiles`, `upload_busy`, and as `OpenTransfers.add`.
   */
  async hold(wanted: Wanted, end: OpenTransfer['end']): Promise<HeldUpload> {
    const { sql, now, id } = this.#context;
    const { upload_id, user_id, token_hash, on_node, server } = await this.#find(wanted);
    const restoring = await isRestoring(sql, on_node.id);
    assertAllowed(whyNotChangeFiles({ ...server.facts, restoring }), { by: 'backup_restore' });
    const held = { upload_id, holder: `${id} ${randomUUID()}` };
    if (!(await holdUpload(sql, held, now()))) throw new Refused('upload_busy');
    const renewal = setInterval(() => {
      holdUpload(sql, held, now()).then(
        (has) => has || end(),
        () => {}, // the next one, or its end
      );
    }, upload_hold_ms / 4);
    const whose = { server_id: on_node.id, user_id, token_hash };
    const transfer: OpenTransfer = { ...whose, kind: 'upload', ticket: 'upload', end };
    const release = async () => {
      this.#open.delete(transfer);
      clearInterval(renewal);
      await releaseUpload(sql, held);
    };
    try {
      this.#open.add(transfer);
    } catch (error) {
      await release();
      throw error;
    }
    return { upload_id, server: on_node, release };
  }
}
