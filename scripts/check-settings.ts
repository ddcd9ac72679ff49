/** Says which setting is wrong, in one sentence and with exit code 1, before `npm start` builds anything. */
import { parseConfig, Refusal } from '@signalfjord/backend';

try {
  parseConfig(process.env);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
