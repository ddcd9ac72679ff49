/**
 * The auth service at /auth/v1, with Supabase Auth's wire formats
 * (https://supabase.com/docs/reference/self-hosting-auth/introduction).
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { BackendContext, Service } from '../context.ts';
import { bufferBody, withBufferedBody } from '../http/buffered-body.ts';
import { servedPaths } from '../http/served-paths.ts';
import { createSmsSender } from '../mail/sms.ts';
import type { AuthService } from './auth-call.ts';
import { createBackgroundTasks } from './background-tasks.ts';
import { authError } from './error-codes.ts';
import { asAuthError, errorResponse } from './error-response.ts';
import { createAuthLimits } from './limits.ts';
import { createProviders } from './providers/providers.ts';
import { siteOrigin } from './redirects.ts';
import { ENDPOINTS } from './routes.ts';
import { createSamlKeyLoader } from './saml/saml-key.ts';

const MAX_BODY = 100 * 1024;
/** Limit for the metadata of identity providers, which can be long. */
const MAX_METADATA_BODY = 1024 * 1024;

const outOfMemory = () =>
  authError(
    'over_request_rate_limit',
    'Too many large requests are being processed. Please try again in a moment.',
    503,
  );

export function createAuthService(context: BackendContext): Service {
  const background = createBackgroundTasks((error) =>
    context.log.error({ err: error }, 'a background task of the authentication service failed'),
  );
  const auth: AuthService = {
    ...context,
    samlKey: createSamlKeyLoader(context.database, context.config.AUTH_SAML_PRIVATE_KEY),
    limits: createAuthLimits(context.config),
    sms: createSmsSender(context.config, context.log),
    providers: createProviders(context.config, context.database),
    runInBackground: background.run,
  };
  const app = new Hono<{ Bindings: { address: string } }>().basePath('/auth/v1');

  app.use(async (hono, next) => {
    await next();
    if (!hono.res.headers.has('cache-control')) hono.res.headers.set('cache-control', 'no-store');
  });
  const limitBody = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: (hono) =>
        errorResponse(hono.req.raw, authError('validation_failed', 'The request body is too large', 413)),
    });
  const [defaultLimit, metadataLimit] = [limitBody(MAX_BODY), limitBody(MAX_METADATA_BODY)];
  app.use((hono, next) => (hono.req.path.startsWith('/auth/v1/admin/sso/') ? metadataLimit : defaultLimit)(hono, next));
  for (const [method, path, endpoint] of ENDPOINTS) {
    app.on(method, path, (hono) => {
      const request = hono.req.raw;
      const url = new URL(request.url);
      return endpoint(
        {
          auth,
          request,
          url,
          address: hono.env.address,
          siteUrl: siteOrigin(context.config, url),
        },
        hono.req.param(),
      );
    });
  }
  app.notFound((hono) => errorResponse(hono.req.raw, authError('validation_failed', 'Not found', 404)));
  app.onError((error, hono) =>
    errorResponse(hono.req.raw, asAuthError(error, { log: context.log, request: hono.req.raw })),
  );
  return {
    routes: servedPaths(app),
    async fetch(request, address) {
      const body = bufferBody(request, address, context.memory);
      try {
        return await app.fetch(withBufferedBody(request, body, outOfMemory), { address });
      } finally {
        body.release();
      }
    },
    async close() {
      await background.finish();
    },
  };
}
