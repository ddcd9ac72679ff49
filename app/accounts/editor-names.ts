import { sessionApi } from '../api/visitor-api.ts';

/** Reads the names of editors by ID. Deleted accounts are omitted. */
export async function editorNames(ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))];
  if (uniqueIds.length === 0) return new Map();
  const { data } = await (await sessionApi()).rpc('editor_names', { _user_ids: uniqueIds }).throwOnError();
  return new Map(data.map(({ user_id, name }) => [user_id, name]));
}
