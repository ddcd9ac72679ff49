/** Query and mutation functions that run as the signed-in user. Errors are thrown. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { pageRange } from './paging.ts';
import { sessionApi } from './visitor-api.ts';

type Api = Awaited<ReturnType<typeof sessionApi>>;

/** Part of a query's or mutation's context that identifies the user. */
interface RequestContext {
  meta?: Record<string, unknown> | undefined;
}

/**
 * Opens the API as the signed-in user, or as the impersonated member of an impersonated view
 * (app/clients/impersonation.ts).
 */
export async function apiOf({ meta }: RequestContext): Promise<Api> {
  const asMember = meta?.['asMember'];
  return typeof asMember === 'string' ? (await import('./supabase.ts')).impersonationApi(asMember) : sessionApi();
}

interface Request<Answer> {
  throwOnError(): PromiseLike<{ data: Answer }>;
}

interface ReadRequest<Answer> {
  abortSignal(signal: AbortSignal): Request<Answer>;
}

interface ListRequest<Row> {
  range(first: number, last: number): { abortSignal(signal: AbortSignal): PromiseLike<ListAnswer<Row>> };
}

type ListAnswer<Row> =
  | { data: Row[]; count: number | null; error: null }
  | { data: null; count: number | null; error: { code: string } };

/** Creates a query function from a request. The request is aborted when its result is no longer needed. */
export function readAsSignedIn<Answer>(request: (api: Api) => ReadRequest<Answer>) {
  return async (context: RequestContext & { signal: AbortSignal }): Promise<Answer> =>
    (
      await request(await apiOf(context))
        .abortSignal(context.signal)
        .throwOnError()
    ).data;
}

/**
 * Creates a query function for a page (from 1) of rows with the total. A page past the end, for example after rows were
 * deleted, is empty and has the total.
 */
export function readPageAsSignedIn<Row>(page: number, request: (api: Api) => ListRequest<Row>) {
  return async (context: RequestContext & { signal: AbortSignal }): Promise<{ items: Row[]; count: number }> => {
    const api = await apiOf(context);
    const read = (first: number, last: number) => request(api).range(first, last).abortSignal(context.signal);
    const { data, count, error } = await read(...pageRange(page));
    if (error?.code === 'PGRST103') return { items: [], count: page > 1 ? ((await read(0, 0)).count ?? 0) : 0 };
    if (error) throw error;
    return { items: data, count: count ?? 0 };
  };
}

/** Creates a mutation function from a request. */
export function changeAsSignedIn<Variables, Answer>(request: (api: Api, variables: Variables) => Request<Answer>) {
  return async (variables: Variables, context: RequestContext): Promise<Answer> =>
    (await request(await apiOf(context), variables).throwOnError()).data;
}

interface AuthAnswer {
  data: unknown;
  error: Error | null;
}

type Success<Answer extends AuthAnswer> = Extract<Answer, { error: null }>;

/**
 * Calls the authentication service as the signed-in user.
 * @throws AuthError
 */
export async function askAuth<Answer extends AuthAnswer>(
  ask: (auth: Api['auth']) => PromiseLike<Answer>,
): Promise<Success<Answer>['data']> {
  const answer = await ask((await sessionApi()).auth);
  if (isSuccess(answer)) return answer.data;
  throw answer.error;
}

function isSuccess<Answer extends AuthAnswer>(answer: Answer): answer is Success<Answer> {
  return answer.error === null;
}

interface Context {
  client: QueryClient;
}

/** Mutation options that invalidate the keys on success. */
export function reloadOnSuccess(...keys: QueryKey[]) {
  return {
    onSuccess: (_data: unknown, _given: unknown, _result: unknown, { client }: Context) => reload(client, keys),
  };
}

/** Mutation options that invalidate the keys on success or error. */
export function reloadOnSettled(...keys: QueryKey[]) {
  return {
    onSettled: (_data: unknown, _error: unknown, _given: unknown, _result: unknown, { client }: Context) =>
      reload(client, keys),
  };
}

function reload(client: QueryClient, keys: QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
