/** Writes look/index.html with a row for each screen and its pictures side by side. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKS, PICTURES } from './looks.ts';

export default function writeIndex(): void {
  // Skips looks without screenshots, because LOOKS may limit a run to some of them.
  const looks = LOOKS.filter(({ name }) => existsSync(join(PICTURES, name)));
  const files = new Set(looks.flatMap(({ name }) => readdirSync(join(PICTURES, name))));
  const rows = [...files].sort().map((file) => {
    const pictures = looks.map(
      ({ name, width }) =>
        `<a href="${name}/${file}"><img src="${name}/${file}" alt="${file} ${name}" width="${width / 3}" loading="lazy"></a>`,
    );
    return `<h2>${file.replace(/\.png$/, '').replaceAll('_', '/')}</h2><div>${pictures.join('')}</div>`;
  });
  const page = join(PICTURES, 'index.html');
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><title>Every screen</title>
<style>body { font: 16px system-ui; margin: 2rem } div { display: flex; gap: 1rem; align-items: start; overflow: auto }</style>
${rows.join('\n')}
`,
  );
  console.log(`Pictures of ${rows.length} screens: ${page}`);
}
