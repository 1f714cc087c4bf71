/** A project as a query target. */
export interface Target {
  project_id: string;
  title: string;
  author: string;
  downloads: number;
  summary: string;
  /** Categories and types. */
  tags: string[];
}
