/**
 * Runs a program at the lowest priority, so that game servers and the agent go first: the beginning of its command line. In
 * tests it has the usual one: beside others that use every core it would hardly get a turn.
 */
export const lowPriority = ['nice', '-n', process.env.NODE_ENV === 'test' ? '0' : '19'] as const;
