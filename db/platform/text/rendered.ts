/**
 * User text with the HTML that renderer `version` made from it. Writes store text only in this form. Source: design
 * §3.4.
 */
export interface Rendered {
  source: string;
  html: string;
  version: number;
}

/**
 * Owner of the text: `account` is limited and shares threads fairly; `signal` is aborted when the client disconnects.
 */
export interface Requester {
  account?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Renders Markdown to safe HTML, in a worker, within limits; falls back to the source as text. */
export interface Renderer {
  render(source: string, from?: Requester): Promise<Rendered>;
  close(): Promise<void>;
}

/** A renderer for the texts of one request. */
export type RequestRenderer = Pick<Renderer, 'render'>;

/** The renderer for texts of this account in this request. */
export const rendererFor = (renderer: Renderer, from: Requester): RequestRenderer => ({
  render: async (source) => await renderer.render(source, from),
});
