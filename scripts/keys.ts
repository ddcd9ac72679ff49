/**
 * `npm run keys -- list|rotate|revoke <id>|api`: manages signing keys and shows API keys. Uses the environment of the
 * server.
 */

import { OperatorError, PUBLISHABLE_KEY } from '@signalfjord/backend';
import { listSigningKeys, loadKeys, revokeSigningKey, rotateSigningKey } from '@signalfjord/backend/commands';
import { runCommand } from './run-command.ts';

const USAGE = `Usage:
  npm run keys -- list
  npm run keys -- rotate          creates a new signing key; tokens signed with earlier keys stay valid until they expire
  npm run keys -- revoke <id>     invalidates all tokens signed with that key immediately
  npm run keys -- api             shows the publishable and the secret API key; the secret key has full access`;

const [command = '', id = ''] = process.argv.slice(2);

await runCommand(() => {
  if (command === 'list') {
    return async (database, config) => {
      const keys = await listSigningKeys(database, config.AUTH_SIGNING_ALGORITHM);
      return keys
        .map(
          ({ kid, alg, created_at, isSigning }) =>
            `${kid} (${alg}) of ${created_at.toISOString()}${isSigning ? ' (signs)' : ''}`,
        )
        .join('\n');
    };
  }
  if (command === 'rotate') {
    return async (database, config) =>
      `${await rotateSigningKey(database, config.AUTH_SIGNING_ALGORITHM)} is now the signing key, in every instance of the server.`;
  }
  if (command === 'revoke' && id) {
    return async (database, config) => {
      if (await revokeSigningKey(database, id, config.AUTH_SIGNING_ALGORITHM)) {
        return `Tokens signed with ${id} are now invalid, in every instance of the server.`;
      }
      throw new OperatorError(
        `${id} is not the id of an earlier key. To revoke the current signing key, rotate first.`,
      );
    };
  }
  if (command === 'api') {
    return async (database, config) => {
      const { secretKey } = await loadKeys(database, config.AUTH_SIGNING_ALGORITHM);
      return `SUPABASE_PUBLISHABLE_KEY=${PUBLISHABLE_KEY}\nSUPABASE_SECRET_KEY=${secretKey}`;
    };
  }
  throw new OperatorError(USAGE);
});
