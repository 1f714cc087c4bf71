import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/**
 * Writes one JSON line per entry to standard output (or `to`), with the same field names in every process. Never log
 * tokens, e-mail or network addresses. The list below only removes what library objects contain, such as row values in
 * Postgres errors.
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
        // HTTP clients keep the whole request in their errors, with its keys
        ...['config', 'request', 'response'].flatMap((field) => [
          `err.${field}`,
          `err.aggregateErrors[*].${field}`,
          `error.${field}`,
        ]),
        ...['parameters', 'args', 'detail', 'where'].map((field) => `err.${field}`),
      ],
      remove: true,
    },
  };
  return to ? pino(options, to) : pino(options);
};
