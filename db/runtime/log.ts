import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/**
 * One JSON line per entry on standard output (or `to`), with the same field names in every process. Never put tokens, mails or
 * network addresses into it; the list below only catches what slips through from a library's objects, as the values of rows in errors of Postgres.
 */
export const createLog = (process_name: string, level: string, to?: DestinationStream): Logger => {
  const options: LoggerOptions = {
    level,
    base: { process: process_name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        '*.headers',
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.token',
        '*.email',
        '*.address',
        ...['parameters', 'args', 'detail', 'where'].map((field) => `err.${field}`),
      ],
      remove: true,
    },
  };
  return to ? pino(options, to) : pino(options);
};
