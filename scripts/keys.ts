/** `npm run keys -- list|rotate|revoke <id>`: the keys that sign access tokens. Uses the same settings as the server. */
import { listSigningKeys, revokeSigningKey, rotateSigningKey } from '../backend/http/keys.ts';
import { Refusal, runCommand } from './run-command.ts';

const USAGE = `Usage:
  npm run keys -- list
  npm run keys -- rotate          a new key signs from now on; tokens of the earlier ones stay valid until they expire
  npm run keys -- revoke <id>     tokens signed with that key are worthless at once`;

const [command = '', id = ''] = process.argv.slice(2);

await runCommand(() => {
  if (command === 'list') {
    return async (database, config) => {
      const keys = await listSigningKeys(database, config.AUTH_SIGNING_ALGORITHM);
      return keys
        .map(
          ({ kid, alg, created_at, signs }) =>
            `${kid} (${alg}) of ${created_at.toISOString()}${signs ? ' (signs)' : ''}`,
        )
        .join('\n');
    };
  }
  if (command === 'rotate') {
    return async (database, config) =>
      `${await rotateSigningKey(database, config.AUTH_SIGNING_ALGORITHM)} signs from now on. Start the server again, every copy of it.`;
  }
  if (command === 'revoke' && id) {
    return async (database, config) => {
      if (await revokeSigningKey(database, id, config.AUTH_SIGNING_ALGORITHM)) {
        return `Tokens signed with ${id} are worthless. Start the server again, every copy of it.`;
      }
      throw new Refusal(`${id} is not the id of an earlier key. The key that signs must be replaced (rotate) first.`);
    };
  }
  throw new Refusal(USAGE);
});
