import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const texts = /\.(m?js|html|css)$/;
const named = /\/_astro\/([\w.@~-]+\.[a-z\d]+)/g;

/**
 * The assets that a built folder names and does not have, each with a file that names it. The builder removes a style sheet that
 * is a part of pages, and with it the same sheet that another page names by its address (`?url`).
 */
export function missingAssets(built: string): string[] {
  const missing = new Map<string, string>();
  for (const folder of ['server', 'pages', 'client'].filter((one) => existsSync(join(built, one))))
    for (const entry of readdirSync(join(built, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !texts.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      for (const [, name] of readFileSync(path, 'utf8').matchAll(named))
        if (!existsSync(join(built, 'client/_astro', name!)))
          missing.set(name!, path.slice(built.length + 1));
    }
  return [...missing].map(([name, path]) => `/_astro/${name}, named by ${path}`);
}
