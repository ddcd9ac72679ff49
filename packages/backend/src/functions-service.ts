/** The application's functions at /functions/v1. A hosted project deploys the same handlers. */
import type { Application, BackendFunction, Functions, RequestHandler } from './application.ts';
import type { BackendContext, Service } from './context.ts';
import { transientErrorMessage } from './database/database.ts';
import { ApiError } from './http/api-error.ts';
import { bufferBody, withBufferedBody } from './http/buffered-body.ts';
import { IdentityError } from './http/identity.ts';

const ROOT = '/functions/v1';

export async function createFunctionsService(
  context: BackendContext,
  { openFunctions }: Application,
  handleRest: RequestHandler,
): Promise<Service> {
  const functions: Functions = (await openFunctions?.(context, handleRest)) ?? { byName: {} };
  return {
    routes: Object.entries(functions.byName).map(([name, { parameter }]) =>
      [ROOT, name, ...(parameter ? [parameter] : [])].join('/'),
    ),
    async fetch(request, address) {
      const [name = '', ...segments] = new URL(request.url).pathname.slice(ROOT.length + 1).split('/');
      const handler = Object.hasOwn(functions.byName, name) ? functions.byName[name] : undefined;
      if (!handler || segments.length !== (handler.parameter ? 1 : 0)) {
        return Response.json({ error: 'Requested function was not found' }, { status: 404 });
      }
      try {
        if (handler.requiresKey) await context.identify(request);
        return await callInBudget(handler, request, address);
      } catch (error) {
        if (error instanceof IdentityError) return Response.json({ error: error.message }, { status: 401 });
        const transientMessage = transientErrorMessage(error);
        if (transientMessage === null) throw error;
        return Response.json({ error: transientMessage }, { status: 503 });
      }
    },
    close: async () => functions.close?.(),
  };

  /** Calls a function. The request body counts against the memory budget until the response. */
  async function callInBudget({ handle }: BackendFunction, request: Request, address: string): Promise<Response> {
    const body = bufferBody(request, address, context.memory);
    try {
      return await handle(withBufferedBody(request, body, outOfMemory), address);
    } finally {
      body.release();
    }
  }
}

/** The chat shows its own message for this error. */
const outOfMemory = () => new ApiError(503, 'no_room', 'Too many large requests are being processed');
