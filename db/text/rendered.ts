/** User text with the HTML made from it by renderer `version`. Verbs store nothing else. Source: design, Conventions. */
export interface Rendered {
  source: string;
  html: string;
  version: number;
}

/** Turns Markdown into safe HTML, in a worker, within its bounds; a failed render shows the source as text. */
export interface Renderer {
  render(source: string): Promise<Rendered>;
  close(): Promise<void>;
}
