/** Where a page says that it is a saved copy, when it is served while the database is away. */
export const saved_copy_mark = '<!--saved copy-->';
