/** `text` with each `{name}` replaced by its value: for texts that islands receive as props. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
