import { z } from 'zod';
import { sftpView } from '#db/hosting/servers/sftp/view.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const answer = z.strictObject({ sftp: sftpView });

/** Requests of panels about how their user signs in to the files of a server by SFTP. */
export const sftpRequests = {
  'sftp.show': { input: ofServer, output: answer, limit: 'calls' },
  /** Makes a new password, which is answered this once; connections that used the one before end. */
  'sftp.set_password': { input: ofServer, output: answer.extend({ password: z.string() }), limit: 'joins' },
  'sftp.add_key': {
    input: ofServer.extend({ name: z.string().max(200), public_key: z.string().max(20_000) }),
    output: answer.extend({ key_id: z.string() }),
    limit: 'calls',
  },
  'sftp.remove_key': { input: ofServer.extend({ key_id: id }), output: answer, limit: 'calls' },
} as const satisfies RequestMap;
