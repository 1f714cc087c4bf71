/** How much one SFTP client may use. Counts live in the memory of the plane that listens. */
export const sftpLimits = {
  /** Connections altogether, and from one network (`networkOf`), signed in or not. */
  connections: 300,
  per_address: 40,
  /** Of these, those that did not sign in yet; beyond that the oldest one of them ends. */
  waiting: 100,
  waiting_per_address: 10,
  /** Signed-in connections of one person. */
  per_user: 8,
  /** Time to sign in, and tries. */
  sign_in_ms: 30_000,
  tries: 10,
  /** Wrong passwords from one network; as many may come at once. */
  failures: { count: 30, per_ms: 300_000 },
  /** Passwords that are checked at once (each takes 19 MiB and a core), and that wait for that. */
  checks: 2,
  checks_waiting: 40,
  /** Without any request. */
  idle_ms: 15 * 60_000,
  /** Channels and open files of one connection. */
  channels: 4,
  handles: 64,
  /** Requests that are being answered, and the bytes that they hold. */
  requests: 64,
  request_bytes: 4 * 1024 * 1024,
  /** Bytes of one read or write that clients are told to use, and of a packet that is accepted. */
  block_bytes: 128 * 1024,
  packet_bytes: 260 * 1024,
  /** Written bytes of one file that wait for those before them. */
  unordered_bytes: 8 * 1024 * 1024,
  /** Zeros that are written where a client leaves a gap. */
  gap_bytes: 16 * 1024 * 1024,
} as const;
