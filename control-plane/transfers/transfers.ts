import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentConnection } from '../agent-links/connection.ts';
import type { PlaneContext } from '../context.ts';
import type { HandlerOptions } from '../sockets/handle.ts';
import { sendJson, sendRefusal } from './answer.ts';
import { serveAgentTransfers } from './at-agent.ts';
import { ContentFiles } from './content-files.ts';
import { Downloads } from './downloads.ts';
import { OpenTransfers } from './open-transfers.ts';
import { StoredBackups } from './stored-backups.ts';
import { UploadAccess } from './upload-access.ts';
import { Uploads } from './uploads.ts';

const uploads_path = '/transfers/uploads/';

/**
 * Files of servers over HTTP. `GET /transfers?ticket=` for users, `PUT /transfers?to=` and `GET /transfers?from=` for agents (logs
 * hold no queries), both at `/transfers?backup=` for backups at the platform, `GET /transfers?content=` for content that agents
 * install, and tus at `/transfers/uploads/`. What waits is in Postgres, so that any plane serves it. Source: hosting §1e.
 */
export class Transfers {
  readonly #context: PlaneContext;
  readonly #open: OpenTransfers;
  readonly #downloads: Downloads;
  readonly #uploads: Uploads;
  readonly #upload_access: UploadAccess;
  readonly #backups: StoredBackups;
  readonly #content: ContentFiles;

  constructor(context: PlaneContext, limits: { idle_ms?: number } = {}) {
    this.#context = context;
    this.#open = new OpenTransfers(context);
    this.#downloads = new Downloads(context, this.#open);
    this.#upload_access = new UploadAccess(context, this.#open);
    this.#uploads = new Uploads(context, this.#upload_access);
    this.#backups = new StoredBackups(context, limits);
    this.#content = new ContentFiles(context);
  }

  /** Handles the request when it is one of these; gives whether it did. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const isUpload = pathname.startsWith(uploads_path);
    if (pathname !== '/transfers' && !isUpload) return false;
    try {
      this.#context.membership.assertHeld();
      if (isUpload) await this.#uploads.handle(req, res, pathname.slice(uploads_path.length));
      else await this.#transfer(req, res, searchParams);
    } catch (error) {
      sendRefusal(res, error, this.#context.log);
    }
    return true;
  }

  async #transfer(req: IncomingMessage, res: ServerResponse, query: URLSearchParams): Promise<void> {
    const { addresses } = this.#context;
    const [to, from] = [query.get('to'), query.get('from')];
    const [backup, content] = [query.get('backup'), query.get('content')];
    if (backup !== null && (req.method === 'PUT' || req.method === 'GET'))
      await this.#backups.handle(req, res, backup);
    else if (content !== null && req.method === 'GET')
      await this.#content.send(res, content, query.get('file') ?? '');
    else if (req.method === 'PUT') await addresses.handle('to', to ?? '', { req, res });
    else if (req.method === 'GET' && from !== null) await addresses.handle('from', from, { req, res });
    else if (req.method === 'GET') await this.#downloads.send(req, res, query);
    else {
      const description = 'Files are read with GET and sent with PUT.';
      sendJson(res, 405, { error: 'not_found', description });
    }
  }

  /** Transfers of users that go on here, or at agents that are connected here. */
  get count(): number {
    return this.#open.count;
  }

  /** Answers what this agent asks about transfers at its own port. */
  serveAgent(agent: AgentConnection, handling: HandlerOptions): void {
    const parts = { open: this.#open, uploads: this.#upload_access };
    serveAgentTransfers(this.#context, agent, handling, parts);
  }

  /** Ends the transfers of users who have no right to them any more, of these servers or of all. */
  async revalidateAccess(server_ids?: readonly string[]): Promise<void> {
    await this.#open.revalidateAccess(server_ids);
  }

  close(): void {
    this.#open.close();
    this.#context.addresses.close();
  }
}
