import type { Socket } from 'node:net';
import type { AuthContext, Connection, ServerChannel } from 'ssh2';
import { recordSftpUse } from '#db/hosting/servers/sftp/write.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { PlaneContext } from '../context.ts';
import type { AgentStreams } from './agent-streams.ts';
import type { SftpConnection, SftpConnections } from './connections.ts';
import { SftpFailure } from './failure.ts';
import { Handles } from './handles.ts';
import { sftpLimits } from './limits.ts';
import { ServerFiles } from './server-files.ts';
import { serveChannel } from './session.ts';
import type { SignIns } from './sign-in.ts';

/** What every client is served with. */
export interface ClientServices {
  context: PlaneContext;
  streams: AgentStreams;
  signIns: SignIns;
  connections: SftpConnections;
  /** It is no connection of a stranger any more. */
  onSignedIn(socket: Socket): void;
}

const methods: Array<'publickey' | 'password'> = ['publickey', 'password'];
/** A client that does not close its side is cut off then. */
const close_ms = 500;

/** Serves one client from its handshake on: sign-in, then channels of SFTP and nothing else. */
export function serveClient(
  client: Connection,
  socket: Socket,
  { context, streams, signIns, connections, onSignedIn }: ClientServices,
): void {
  const { log } = context;
  let connection: SftpConnection | null = null;
  let tries = 0;
  const close = () => {
    client.end();
    setTimeout(() => socket.destroy(), close_ms).unref();
  };
  const idle = setTimeout(close, sftpLimits.sign_in_ms).unref();
  client.on('error', (err: Error) => log.debug({ err: err.message }, 'SFTP connection broke off'));
  client.on('close', () => {
    clearTimeout(idle);
    if (connection) connections.remove(connection);
  });
  client.on('authentication', (tried: AuthContext) => {
    tries += tried.method === 'none' ? 0 : 1;
    if (tries > sftpLimits.tries) return close();
    signIn(tried).catch((err) => {
      log.warn({ err }, 'SFTP sign-in failed');
      tried.reject(methods);
    });
  });

  async function signIn(tried: AuthContext): Promise<void> {
    context.membership.assertHeld();
    const result = await signIns.check(tried, networkOf(socket.remoteAddress ?? ''));
    if (result.ok === 'known') return tried.accept();
    const added = result.ok ? await connections.add(result.grant, close) : null;
    if (!added || socket.destroyed || connection) {
      if (added) connections.remove(added);
      return tried.reject(methods);
    }
    connection = added;
    onSignedIn(socket);
    idle.refresh();
    const { grant } = added;
    void context.sql
      .begin((tx) => recordSftpUse(tx, grant, context.now()))
      .catch((err) => log.warn({ err }, 'SFTP sign-in could not be recorded'));
    serve(added);
    tried.accept();
  }

  function whyEnded({ ended }: SftpConnection): SftpFailure | null {
    if (ended) return new SftpFailure('permission_denied', 'Your access to this server has ended.');
    const isHeld = context.membership.isHeld();
    return isHeld ? null : new SftpFailure('failure', 'This server can’t be reached right now. Try again.');
  }

  function serve(signedIn: SftpConnection): void {
    const handles = new Handles();
    const files = new ServerFiles(context, streams, {
      server_id: signedIn.grant.server_id,
      actor: () => connections.actorOf(signedIn),
    });
    let channels = 0;
    let last = performance.now();
    const session = {
      ...{ files, handles, log },
      active: () => {
        last = performance.now();
      },
      whyEnded: () => whyEnded(signedIn),
    };
    const watch = setInterval(() => performance.now() - last > sftpLimits.idle_ms && close(), 30_000).unref();
    clearTimeout(idle);
    client.on('close', () => {
      clearInterval(watch);
      for (const handle of handles.clear()) {
        if (handle.kind !== 'file') continue;
        handle.reader?.close();
        // as other servers do, so that a client resumes it; a file that was there stays as it was
        const isKept = handle.isNew && !signedIn.ended;
        const done = isKept ? handle.writer?.close() : handle.writer?.cancel();
        done?.catch((err) => log.debug({ err }, 'The end of an upload by SFTP could not be stored'));
      }
    });
    client.on('session', (accept, reject) => {
      if (channels >= sftpLimits.channels) return reject();
      channels += 1;
      const opened = accept();
      opened.on('close', () => {
        channels -= 1;
      });
      // ssh2's own SFTP knows no backpressure: a client that does not read would fill the memory
      opened.on(
        'subsystem',
        (take: () => ServerChannel, refuse: (() => void) | undefined, { name }: { name: string }) => {
          if (name !== 'sftp') return refuse?.();
          const channel = take().setMaxListeners(0);
          serveChannel(channel, session)
            .then(() => {
              channel.exit(0);
              channel.end();
              channel.close();
            })
            .catch((err: Error) => {
              log.debug({ err: err.message }, 'SFTP channel broke off');
              channel.close();
            });
        },
      );
    });
  }
}
