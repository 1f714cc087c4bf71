/** The ids of the error and hint that `Field.astro` renders for a control, for its `aria-describedby`. */
export const describedBy = (id: string): string => `${id}-wrong ${id}-hint`;
