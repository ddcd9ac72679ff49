/** `npm run doctor`: finds problems of this installation and reports how to fix them. See docs/operating.md. */
import { readConfig } from '@signalfjord/backend/commands';
import { SITE_OPTIONS } from '../server/options.ts';
import { checkConfiguration } from './doctor/configuration.ts';
import { checkDatabase } from './doctor/database.ts';
import type { Finding } from './doctor/finding.ts';
import { checkFolders } from './doctor/folders.ts';
import { checkServices } from './doctor/services.ts';

if (process.argv.length > 2) {
  console.error('npm run doctor accepts no arguments. It reads the environment variables of the server.');
  process.exit(1);
}

const { config, problems } = readConfig(process.env, SITE_OPTIONS);
const checks: (() => Promise<Finding[]>)[] = [
  async () => checkConfiguration(config, problems, process.env),
  ...(problems.length === 0
    ? [() => checkFolders(config), () => checkDatabase(config), () => checkServices(config)]
    : []),
];
const findings: Finding[] = [];
for (const check of checks) {
  for (const finding of await check()) {
    findings.push(finding);
    console.log(`${finding.state.padEnd(5)} ${finding.subject}: ${finding.message}`);
  }
}
if (problems.length > 0)
  console.log('Fix the environment variables and run npm run doctor again for the other checks.');
const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
console.log(`${count('error')} errors, ${count('warn')} warnings, ${count('ok')} ok.`);
process.exit(count('error') > 0 ? 1 : 0);
