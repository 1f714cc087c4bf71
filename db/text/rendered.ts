/** User text with the HTML made from it by renderer `version`. Verbs store nothing else. Source: design §3.4. */
export interface Rendered {
  source: string;
  html: string;
  version: number;
}

/** Whose text it is: `account` shares threads fairly and is bounded, `signal` is aborted when the client went away. */
export interface Requester {
  account?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Turns Markdown into safe HTML, in a worker, within its bounds; a failed render shows the source as text. */
export interface Renderer {
  render(source: string, from?: Requester): Promise<Rendered>;
  close(): Promise<void>;
}

/** A renderer for the texts of one request. */
export type RequestRenderer = Pick<Renderer, 'render'>;

/** The renderer for what this account sends in this request. */
export const rendererFor = (renderer: Renderer, from: Requester): RequestRenderer => ({
  render: async (source) => await renderer.render(source, from),
});
