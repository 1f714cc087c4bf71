/** Rules for logs that are shared by an address that nobody can guess. */

/** How long a shared log may last, in hours. */
export const logLifetimes = { '1h': 1, '1d': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type LogLifetime = keyof typeof logLifetimes;
export const logLifetimeIds = Object.keys(logLifetimes) as [LogLifetime, ...LogLifetime[]];

export const max_shared_logs = 20;
export const max_shared_bytes = 1024 * 1024;
/** Of the id in its address: 24 characters of 62 are 142 bits. */
export const log_id_letters = 24;

/** Whether a path may be read as a log: text, or text that was packed by the game. */
export const isLogPath = (path: string): boolean => /\.(?:log|txt)(?:\.gz)?$/i.test(path);
