/**
 * `npm run export -- FILE` and `npm run backup -- FILE`: write the database and files of the configured site to an
 * archive. The site can be running. See docs/backups.md.
 */

import { OperatorError } from '@signalfjord/backend';
import { exportArchive, openDeployment } from '@signalfjord/backend/commands';
import { formatSummary, MIGRATIONS_FOLDER, programVersion } from './moving.ts';
import { report } from './run-command.ts';

const [path = '', ...extraArguments] = process.argv.slice(2);

await report(async () => {
  if (!path || path.startsWith('-') || extraArguments.length > 0) {
    throw new OperatorError('Usage: npm run export -- FILE   (a new file, such as site.zip)');
  }
  return async (config) => {
    const deployment = await openDeployment(config);
    try {
      const source = { ...deployment, migrationsFolder: MIGRATIONS_FOLDER, version: await programVersion() };
      return `${path} contains ${formatSummary(await exportArchive(source, path))}.`;
    } finally {
      await deployment.close();
    }
  };
});
