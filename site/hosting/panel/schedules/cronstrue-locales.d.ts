/** Languages of cronstrue add themselves to it; the package has no types for them. */
declare module 'cronstrue/locales/*';
