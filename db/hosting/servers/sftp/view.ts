import { z } from 'zod';

const sftpKeyView = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** As `ssh-keygen -l` prints it. */
  fingerprint: z.string(),
  created: z.string(),
  last_used: z.string().nullable(),
});
export type SftpKeyView = z.output<typeof sftpKeyView>;

/** How one person signs in to the files of one server. */
export const sftpView = z.strictObject({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  /** Of the key that the server shows; null before it was made. */
  host_fingerprint: z.string().nullable(),
  /** The password itself is shown once. */
  password: z.strictObject({ created: z.string(), last_used: z.string().nullable() }).nullable(),
  keys: z.array(sftpKeyView),
});
export type SftpView = z.output<typeof sftpView>;
