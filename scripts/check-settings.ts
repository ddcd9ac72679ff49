/**
 * Validates the settings before `npm start` builds anything. Prints a message and exits with code 1 if a setting
 * is invalid.
 */
import { OperatorError, parseConfig } from '@signalfjord/backend';
import { SITE_OPTIONS } from '../server/options.ts';

try {
  parseConfig(process.env, SITE_OPTIONS);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
