/** Says which setting is wrong, in one sentence and with exit code 1, before `npm start` builds anything. */
import { parseConfig, Refusal } from '@signalfjord/backend';
import { SITE_OPTIONS } from '../server/options.ts';

try {
  parseConfig(process.env, SITE_OPTIONS);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
