/**
 * `npm run pack -w packages/backend`: compiles the package to dist/ and packs it. Node does not strip types inside
 * node_modules, so the package contains JavaScript. Arguments are passed to `npm pack`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '..');
const SRC = join(PACKAGE, 'src');
const DIST = join(PACKAGE, 'dist');

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['--project', join(PACKAGE, 'tsconfig.build.json')], { stdio: 'inherit' });
for (const file of globSync('**/*.{js,d.ts}', { cwd: DIST })) rewriteExtensions(join(DIST, file));
for (const file of globSync('**/*.sql', { cwd: SRC })) cpSync(join(SRC, file), join(DIST, file));
cpSync(join(PACKAGE, 'README.md'), join(DIST, 'README.md'));
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
execFileSync('npm', ['pack', ...process.argv.slice(2)], { cwd: DIST, stdio: 'inherit' });

/** Rewrites .ts extensions that the compiler does not: imports in declarations and worker URLs. */
function rewriteExtensions(path: string): void {
  const source = readFileSync(path, 'utf8');
  const rewrittenSource = source.replaceAll(
    /((?:from|import\(|new URL\()\s*['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g,
    '$1.js',
  );
  if (rewrittenSource !== source) writeFileSync(path, rewrittenSource);
}

function manifest() {
  const {
    scripts: _scripts,
    private: _private,
    exports,
    ...kept
  } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    scripts: unknown;
    private: unknown;
    exports: Record<string, string>;
  };
  const compiledExports = Object.entries(exports).map(([name, file]) => {
    const base = file.replace('./src/', './').replace(/\.ts$/, '');
    return [name, { types: `${base}.d.ts`, default: `${base}.js` }];
  });
  return { ...kept, exports: Object.fromEntries(compiledExports) };
}
