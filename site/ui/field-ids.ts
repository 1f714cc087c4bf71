/** The ids of what `Field.astro` says about the control with that id, for its `aria-describedby`. */
export const describedBy = (id: string): string => `${id}-wrong ${id}-hint`;
