export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/**
 * The flat form of every structure of a segment, by name: saved, loaded and shared between threads. Each structure
 * writes its own sections and reads them when opened; readers use views, not copies.
 */
export type Sections = Map<string, Numbers>;

type Kind<T extends Numbers> = abstract new (...args: never[]) => T;

/** The section `name`, which must be of `kind`: otherwise code and file do not match. */
export function section<T extends Numbers>(sections: Sections, name: string, kind: Kind<T>): T {
  const found = sections.get(name);
  if (found instanceof kind) return found;
  throw new Error(`A search segment has no usable section ${name}.`);
}
