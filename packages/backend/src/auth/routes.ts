/** Every endpoint of the authentication service. Files are named after the URLs of their endpoints. */
import {
  changeCustomProvider,
  createCustomProvider,
  deleteCustomProvider,
  listCustom,
  readCustomProvider,
} from './admin/custom-providers.ts';
import { deleteFactorById, listFactors } from './admin/factors.ts';
import { generateLink } from './admin/generate-link.ts';
import {
  changeClient,
  createClient,
  deleteClientById,
  listClients,
  readClient,
  regenerateSecret,
} from './admin/oauth-clients.ts';
import { deletePasskeyOfUser, listPasskeysOfUser } from './admin/passkeys.ts';
import { changeProvider, createProvider, deleteProvider, listProviders, readProvider } from './admin/sso-providers.ts';
import { changeUserById, createUser, deleteUserById, listUsers, readUserById } from './admin/users.ts';
import type { Endpoint } from './auth-call.ts';
import { authorize } from './authorize.ts';
import { callback, callbackForm } from './callback.ts';
import { withCaptcha } from './captcha.ts';
import { challengeFactor } from './factors/challenge.ts';
import {
  deleteRecoveryCodes,
  generateRecoveryCodes,
  readRecoveryCodes,
  regenerateRecoveryCodes,
  verifyRecoveryCode,
} from './factors/recovery-codes.ts';
import { verifyFactor } from './factors/verify.ts';
import { enrollFactor, unenrollFactor } from './factors.ts';
import { health } from './health.ts';
import { invite } from './invite.ts';
import { jwks } from './jwks.ts';
import { logout } from './logout.ts';
import { consent, readAuthorization } from './oauth/authorizations.ts';
import { oauthAuthorize } from './oauth/authorize.ts';
import { discovery } from './oauth/discovery.ts';
import { listGrants, revokeGrant } from './oauth/grants.ts';
import { userinfo } from './oauth/id-token.ts';
import { registerClient } from './oauth/register.ts';
import { oauthToken } from './oauth/token.ts';
import { otp } from './otp.ts';
import { startPasskeyAuthentication, verifyPasskeyAuthentication } from './passkeys/authentication.ts';
import { startPasskeyRegistration, verifyPasskeyRegistration } from './passkeys/registration.ts';
import { deletePasskey, listOwnPasskeys, renamePasskey } from './passkeys.ts';
import { reauthenticate } from './reauthenticate.ts';
import { recover } from './recover.ts';
import { resend } from './resend.ts';
import { samlAcs } from './saml/acs.ts';
import { samlMetadata } from './saml/metadata.ts';
import { settings } from './settings.ts';
import { signup } from './signup.ts';
import { sso } from './sso.ts';
import { token } from './token.ts';
import { getUser, updateUser } from './user.ts';
import { linkIdentity, unlinkIdentity } from './user-identities.ts';
import { verifyCode, verifyLink } from './verify.ts';

export const ENDPOINTS: [method: string, path: string, endpoint: Endpoint][] = [
  ['POST', '/signup', withCaptcha(signup)],
  ['POST', '/token', token],
  ['GET', '/user', getUser],
  ['PUT', '/user', updateUser],
  ['POST', '/logout', logout],
  ['POST', '/recover', withCaptcha(recover)],
  ['POST', '/otp', withCaptcha(otp)],
  ['POST', '/magiclink', withCaptcha(otp)],
  ['GET', '/verify', verifyLink],
  ['POST', '/verify', verifyCode],
  ['POST', '/resend', withCaptcha(resend)],
  ['GET', '/reauthenticate', reauthenticate],
  ['POST', '/factors', enrollFactor],
  ['GET', '/factors/recovery-codes', readRecoveryCodes],
  ['POST', '/factors/recovery-codes', generateRecoveryCodes],
  ['DELETE', '/factors/recovery-codes', deleteRecoveryCodes],
  ['POST', '/factors/recovery-codes/regenerate', regenerateRecoveryCodes],
  ['POST', '/factors/recovery-codes/verify', verifyRecoveryCode],
  ['DELETE', '/factors/:id', unenrollFactor],
  ['POST', '/factors/:id/challenge', challengeFactor],
  ['POST', '/factors/:id/verify', verifyFactor],
  ['GET', '/passkeys', listOwnPasskeys],
  ['PATCH', '/passkeys/:id', renamePasskey],
  ['DELETE', '/passkeys/:id', deletePasskey],
  ['POST', '/passkeys/registration/options', startPasskeyRegistration],
  ['POST', '/passkeys/registration/verify', verifyPasskeyRegistration],
  ['POST', '/passkeys/authentication/options', withCaptcha(startPasskeyAuthentication)],
  ['POST', '/passkeys/authentication/verify', verifyPasskeyAuthentication],
  ['POST', '/invite', invite],
  ['GET', '/admin/users', listUsers],
  ['POST', '/admin/users', createUser],
  ['GET', '/admin/users/:id', readUserById],
  ['PUT', '/admin/users/:id', changeUserById],
  ['DELETE', '/admin/users/:id', deleteUserById],
  ['GET', '/admin/users/:id/factors', listFactors],
  ['DELETE', '/admin/users/:id/factors/:factorId', deleteFactorById],
  ['GET', '/admin/users/:id/passkeys', listPasskeysOfUser],
  ['DELETE', '/admin/users/:id/passkeys/:passkeyId', deletePasskeyOfUser],
  ['POST', '/admin/generate_link', generateLink],
  ['GET', '/admin/sso/providers', listProviders],
  ['POST', '/admin/sso/providers', createProvider],
  ['GET', '/admin/sso/providers/:id', readProvider],
  ['PUT', '/admin/sso/providers/:id', changeProvider],
  ['DELETE', '/admin/sso/providers/:id', deleteProvider],
  ['GET', '/admin/custom-providers', listCustom],
  ['POST', '/admin/custom-providers', createCustomProvider],
  ['GET', '/admin/custom-providers/:identifier', readCustomProvider],
  ['PUT', '/admin/custom-providers/:identifier', changeCustomProvider],
  ['DELETE', '/admin/custom-providers/:identifier', deleteCustomProvider],
  ['POST', '/sso', withCaptcha(sso)],
  ['GET', '/admin/oauth/clients', listClients],
  ['POST', '/admin/oauth/clients', createClient],
  ['GET', '/admin/oauth/clients/:id', readClient],
  ['PUT', '/admin/oauth/clients/:id', changeClient],
  ['DELETE', '/admin/oauth/clients/:id', deleteClientById],
  ['POST', '/admin/oauth/clients/:id/regenerate_secret', regenerateSecret],
  ['POST', '/oauth/clients/register', registerClient],
  ['GET', '/oauth/authorize', oauthAuthorize],
  ['GET', '/oauth/authorizations/:id', readAuthorization],
  ['POST', '/oauth/authorizations/:id/consent', consent],
  ['POST', '/oauth/token', oauthToken],
  ['GET', '/oauth/userinfo', userinfo],
  ['POST', '/oauth/userinfo', userinfo],
  ['GET', '/user/oauth/grants', listGrants],
  ['DELETE', '/user/oauth/grants', revokeGrant],
  ['GET', '/.well-known/oauth-authorization-server', discovery],
  ['GET', '/.well-known/openid-configuration', discovery],
  ['GET', '/sso/saml/metadata', samlMetadata],
  ['POST', '/sso/saml/acs', samlAcs],
  ['GET', '/authorize', authorize],
  ['GET', '/callback', callback],
  ['POST', '/callback', callbackForm],
  ['GET', '/user/identities/authorize', linkIdentity],
  ['DELETE', '/user/identities/:id', unlinkIdentity],
  ['GET', '/settings', settings],
  ['GET', '/health', health],
  ['GET', '/.well-known/jwks.json', jwks],
];
