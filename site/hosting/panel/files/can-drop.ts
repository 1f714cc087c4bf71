/** Whether files can be dragged onto the page from elsewhere: not with touch alone. Before the page is alive it is not known. */
export const canDrop = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(any-hover: hover)').matches;
