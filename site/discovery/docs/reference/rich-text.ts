const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('{{', '&#123;{');

/** A description of the documents as HTML: code between backquotes and links to pages of ours. */
export const richText = (text: string, link: (path: string) => string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(
      /\[([^\]]+)\]\((\/[^)]+)\)/g,
      (_, label: string, path: string) => `<a href="${link(path)}">${label}</a>`,
    );
