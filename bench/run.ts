/** Runs all or the named benchmarks: `npm run bench -- pages rest-posts`. Build first. */
import { spawnSync } from 'node:child_process';

const ALL = [
  'pages',
  'page-crowds',
  'rest-posts',
  'heavy-work',
  'sign-in',
  'storage',
  'start-and-memory',
  'first-visit',
  'assistant',
  'chat',
  'media-library',
  'content-history',
  'typing',
  'events',
  'clients',
  'mixed-load',
  'many-posts',
  'year',
  'backup',
  'copies',
  'compared',
];
const names = process.argv.slice(2);

for (const name of names.length > 0 ? names : ALL) {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [`bench/${name}.ts`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
