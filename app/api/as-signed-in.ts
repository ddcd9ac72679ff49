/** Query and mutation functions that run as the signed-in user. Errors are thrown. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { pageRange } from './paging.ts';
import { sessionApi } from './visitor-api.ts';

type Api = Awaited<ReturnType<typeof sessionApi>>;

/** Part of a query or mutation context that identifies the user. */
interface RequestContext {
  meta?: Record<string, unknown> | undefined;
}

/**
 * Opens the API as the signed-in user. In an impersonated view, opens it as the impersonated member
 * (app/clients/impersonation.ts).
 */
export async function openApi({ meta }: RequestContext): Promise<Api> {
  const asMember = meta?.['asMember'];
  return typeof asMember === 'string' ? (await import('./supabase.ts')).impersonationApi(asMember) : sessionApi();
}

interface Request<Result> {
  throwOnError(): PromiseLike<{ data: Result }>;
}

interface ReadRequest<Result> {
  abortSignal(signal: AbortSignal): Request<Result>;
}

interface ListRequest<Row> {
  range(first: number, last: number): { abortSignal(signal: AbortSignal): PromiseLike<ListResponse<Row>> };
}

type ListResponse<Row> =
  | { data: Row[]; count: number | null; error: null }
  | { data: null; count: number | null; error: { code: string } };

/** Creates a query function from a request. The request is aborted if the query is cancelled. */
export function readAsSignedIn<Result>(request: (api: Api) => ReadRequest<Result>) {
  return async (context: RequestContext & { signal: AbortSignal }): Promise<Result> =>
    (
      await request(await openApi(context))
        .abortSignal(context.signal)
        .throwOnError()
    ).data;
}

/**
 * Creates a query function that reads a page of rows (1-based) and the total count. A page past the end, for example
 * after rows were deleted, is empty.
 */
export function readPageAsSignedIn<Row>(page: number, request: (api: Api) => ListRequest<Row>) {
  return async (context: RequestContext & { signal: AbortSignal }): Promise<{ items: Row[]; count: number }> => {
    const api = await openApi(context);
    const readRows = (first: number, last: number) => request(api).range(first, last).abortSignal(context.signal);
    const { data, count, error } = await readRows(...pageRange(page));
    if (error?.code === 'PGRST103') return { items: [], count: page > 1 ? ((await readRows(0, 0)).count ?? 0) : 0 };
    if (error) throw error;
    return { items: data, count: count ?? 0 };
  };
}

/** Creates a mutation function from a request. */
export function changeAsSignedIn<Variables, Result>(request: (api: Api, variables: Variables) => Request<Result>) {
  return async (variables: Variables, context: RequestContext): Promise<Result> =>
    (await request(await openApi(context), variables).throwOnError()).data;
}

interface AuthResult {
  data: unknown;
  error: Error | null;
}

type Success<Result extends AuthResult> = Extract<Result, { error: null }>;

/**
 * Calls the authentication service as the signed-in user.
 * @throws AuthError
 */
export async function callAuth<Result extends AuthResult>(
  call: (auth: Api['auth']) => PromiseLike<Result>,
): Promise<Success<Result>['data']> {
  const result = await call((await sessionApi()).auth);
  if (isSuccess(result)) return result.data;
  throw result.error;
}

function isSuccess<Result extends AuthResult>(result: Result): result is Success<Result> {
  return result.error === null;
}

interface Context {
  client: QueryClient;
}

/** Mutation options that invalidate the keys on success. */
export function reloadOnSuccess(...keys: QueryKey[]) {
  return {
    onSuccess: (_data: unknown, _variables: unknown, _result: unknown, { client }: Context) => reload(client, keys),
  };
}

/** Mutation options that invalidate the keys on success or error. */
export function reloadOnSettled(...keys: QueryKey[]) {
  return {
    onSettled: (_data: unknown, _error: unknown, _variables: unknown, _result: unknown, { client }: Context) =>
      reload(client, keys),
  };
}

function reload(client: QueryClient, keys: QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
