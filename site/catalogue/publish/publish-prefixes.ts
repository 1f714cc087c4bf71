/** What the texts of the form for versions begin with. */
export const publishPrefixes = [
  'publish.',
  'version.',
  'format.',
  'error.file_name_invalid',
  'error.file_type_unsupported',
  'error.file_too_large',
  'error.archive_unreadable',
] as const;
