import { type Logger, pino } from 'pino';

/**
 * One JSON line per entry on standard output, with the same field names in every process. Never put tokens, mails or
 * network addresses into it; the list below only catches what slips through from a library's objects.
 */
export const createLog = (process_name: string, level: string): Logger =>
  pino({
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
        'err.parameters',
        'err.args',
      ],
      remove: true,
    },
  });
