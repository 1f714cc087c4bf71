/** A server, and where and how it must be. */
export interface Placed {
  id: string;
  node_id: string;
  on: boolean;
  /** Sum of its files. */
  sum: string;
}
