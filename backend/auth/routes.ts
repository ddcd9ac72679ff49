/**
 * The authentication service at /auth/v1, in Supabase Auth's wire formats
 * (https://supabase.com/docs/reference/self-hosting-auth/introduction). One file per endpoint, named like its URL.
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { BackendContext, Connection } from '../create-backend.ts';
import { clientAddress, trustedProxies } from '../http/rate-limit.ts';
import { generateLink } from './admin/generate-link.ts';
import { changeUserById, createUser, deleteUserById, listUsers, readUserById } from './admin/users.ts';
import type { AuthService, Endpoint } from './auth-call.ts';
import { cleanUpRegularly } from './clean-up.ts';
import { authError } from './error-codes.ts';
import { asAuthError, errorResponse } from './error-response.ts';
import { health } from './health.ts';
import { invite } from './invite.ts';
import { jwks } from './jwks.ts';
import { createAuthLimits } from './limits.ts';
import { logout } from './logout.ts';
import { otp } from './otp.ts';
import { reauthenticate } from './reauthenticate.ts';
import { recover } from './recover.ts';
import { siteOrigin } from './redirects.ts';
import { resend } from './resend.ts';
import { settings } from './settings.ts';
import { signup } from './signup.ts';
import { token } from './token.ts';
import { getUser, updateUser } from './user.ts';
import { verifyCode, verifyLink } from './verify.ts';

const MAX_BODY = 100 * 1024;

const refuse =
  (...error: Parameters<typeof authError>): Endpoint =>
  async () => {
    throw authError(...error);
  };

const ENDPOINTS: [method: string, path: string, endpoint: Endpoint][] = [
  ['POST', '/signup', signup],
  ['POST', '/token', token],
  ['GET', '/user', getUser],
  ['PUT', '/user', updateUser],
  ['POST', '/logout', logout],
  ['POST', '/recover', recover],
  ['POST', '/otp', otp],
  ['POST', '/magiclink', otp],
  ['GET', '/verify', verifyLink],
  ['POST', '/verify', verifyCode],
  ['POST', '/resend', resend],
  ['GET', '/reauthenticate', reauthenticate],
  ['POST', '/invite', invite],
  ['GET', '/admin/users', listUsers],
  ['POST', '/admin/users', createUser],
  ['GET', '/admin/users/:id', readUserById],
  ['PUT', '/admin/users/:id', changeUserById],
  ['DELETE', '/admin/users/:id', deleteUserById],
  ['POST', '/admin/generate_link', generateLink],
  ['GET', '/settings', settings],
  ['GET', '/health', health],
  ['GET', '/.well-known/jwks.json', jwks],

  // Features that are off answer as Supabase Auth does when they are.
  ['GET', '/authorize', refuse('validation_failed', 'Unsupported provider: provider is not enabled')],
  ['POST', '/sso', refuse('saml_provider_disabled')],
  ['GET', '/sso/saml/metadata', refuse('saml_provider_disabled')],
  ['POST', '/sso/saml/acs', refuse('saml_provider_disabled')],
  ['GET', '/user/identities/authorize', refuse('manual_linking_disabled')],
  ['DELETE', '/user/identities/:id', refuse('manual_linking_disabled')],
];

export interface AuthRoutes {
  app: Hono<{ Bindings: Connection }>;
  /** Waits for what is still being done after answers, and stops. */
  close(): Promise<void>;
}

export function authRoutes(context: BackendContext): AuthRoutes {
  const pending = new Set<Promise<unknown>>();
  const auth: AuthService = {
    ...context,
    limits: createAuthLimits(context.config.RATE_LIMITS),
    afterwards(work) {
      const done = work()
        .catch((error: unknown) => context.log.error({ err: error }, 'work after an authentication answer failed'))
        .finally(() => pending.delete(done));
      pending.add(done);
    },
  };
  const trusted = trustedProxies(context.config.TRUSTED_PROXIES);
  const app: AuthRoutes['app'] = new Hono();

  app.use(async (hono, next) => {
    await next();
    if (!hono.res.headers.has('cache-control')) hono.res.headers.set('cache-control', 'no-store');
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: (hono) => errorResponse(hono.req.raw, authError('validation_failed', 'The request is too large', 413)),
    }),
  );
  for (const [method, path, endpoint] of ENDPOINTS) {
    app.on(method, path, (hono) => {
      const request = hono.req.raw;
      const url = new URL(request.url);
      return endpoint(
        {
          auth,
          request,
          url,
          address: clientAddress(request.headers, hono.env?.address, trusted),
          siteUrl: siteOrigin(context.config, url),
        },
        hono.req.param(),
      );
    });
  }
  app.notFound((hono) => errorResponse(hono.req.raw, authError('validation_failed', 'Not found', 404)));
  app.onError((error, hono) => errorResponse(hono.req.raw, asAuthError(error, context.log)));
  const stopCleaning = cleanUpRegularly(context.database, (error) =>
    context.log.error({ err: error }, 'accounts could not be cleaned up'),
  );
  return {
    app,
    async close() {
      stopCleaning();
      await Promise.all(pending);
    },
  };
}
