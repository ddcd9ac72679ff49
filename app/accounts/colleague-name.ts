import { sessionApi } from '../api/visitor-api.ts';

/** Reads the name of an admin or team member. Returns undefined for null and for other accounts. */
export async function colleagueName(id: string | null): Promise<string | undefined> {
  if (id === null) return undefined;
  const { data } = await (await sessionApi()).rpc('lead_owners').throwOnError();
  return data.find((person) => person.id === id)?.name;
}
