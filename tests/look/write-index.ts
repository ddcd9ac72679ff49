/** Writes look/index.html, which shows the screenshots of each screen side by side. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKS, SCREENSHOTS_FOLDER } from './looks.ts';

export default function writeIndex(): void {
  // The environment variable LOOKS can limit a run, so folders of other variants may be missing.
  const variants = LOOKS.filter(({ name }) => existsSync(join(SCREENSHOTS_FOLDER, name)));
  const files = new Set(variants.flatMap(({ name }) => readdirSync(join(SCREENSHOTS_FOLDER, name))));
  const rows = [...files].sort().map((file) => {
    const pictures = variants.map(
      ({ name, width }) =>
        `<a href="${name}/${file}"><img src="${name}/${file}" alt="${file} ${name}" width="${width / 3}" loading="lazy"></a>`,
    );
    return `<h2>${file.replace(/\.png$/, '').replaceAll('_', '/')}</h2><div>${pictures.join('')}</div>`;
  });
  const page = join(SCREENSHOTS_FOLDER, 'index.html');
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><title>Every screen</title>
<style>body { font: 16px system-ui; margin: 2rem } div { display: flex; gap: 1rem; align-items: start; overflow: auto }</style>
${rows.join('\n')}
`,
  );
  console.log(`Screenshots of ${rows.length} screens: ${page}`);
}
