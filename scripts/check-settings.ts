/** Says which setting is wrong, in one sentence and with exit code 1, before `npm start` builds anything. */
import { ConfigError, parseConfig } from '../backend/config.ts';

try {
  parseConfig(process.env);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
