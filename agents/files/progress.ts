/** Says how far something is: `done` of `total` bytes; `total` is null while it is not known. */
export type OnProgress = (done: number, total: number | null) => void;
