/**
 * The header in which our own pages send their language, so that a refusal comes back in it. Requests without it are
 * those of API clients: their answers are in English.
 */
export const pageLocaleHeader = 'x-page-locale';
