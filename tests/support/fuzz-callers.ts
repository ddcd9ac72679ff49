import { SignJWT } from 'jose';
import type { Backend } from '../../packages/backend/src/create-backend.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { CANARY, type Caller } from './fuzz-rest.ts';

/** Creates a visitor, a client user and an admin, and rows that only the admin can read. */
export async function createCallers({ database, keys }: Backend): Promise<readonly Caller[]> {
  await database.query(
    `insert into public.posts (title, slug, status, content) select $1::text, $1::text || n, 'draft', $1::text from generate_series(1, 3) n`,
    [CANARY],
  );
  const createSignedIn = async (role: 'client' | 'admin'): Promise<Caller> => {
    const [id, sessionId] = [crypto.randomUUID(), crypto.randomUUID()];
    await database.batch([
      {
        text: `insert into auth.users (id, aud, role, email, created_at, updated_at)
          values ($1, 'authenticated', 'authenticated', $2, now(), now())`,
        values: [id, `${role}@example.com`],
      },
      {
        text: `insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), 'aal1')`,
        values: [sessionId, id],
      },
      { text: 'insert into public.user_roles (user_id, role, approved) values ($1, $2, true)', values: [id, role] },
    ]);
    const token = await new SignJWT({ role: 'authenticated', session_id: sessionId })
      .setProtectedHeader({ alg: 'ES256', kid: keys.current.kid })
      .setSubject(id)
      .setExpirationTime('1d')
      .sign(keys.current.privateKey);
    return {
      headers: { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${token}` },
      canSeeCanary: role === 'admin',
    };
  };
  return [
    { headers: { apikey: PUBLISHABLE_KEY }, canSeeCanary: false },
    await createSignedIn('client'),
    await createSignedIn('admin'),
  ];
}
