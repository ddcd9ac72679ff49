/** Finding out that the session of somebody at work has ended, and that it goes on. For the admin area only. */
import { sessionApi } from '../api/visitor-api.ts';
import { hasSessionEnded } from './load-account.ts';

/** Reads the present session of a person who was an admin; null when it has ended or is somebody else's. */
export async function adminSession(person: string): Promise<{ accessToken: string; isAdmin: boolean } | null> {
  const api = await sessionApi();
  const { data } = await api.auth.getSession();
  if (data.session?.user.id !== person || (await hasSessionEnded())) return null;
  const own = await api.from('user_roles').select('role, approved').eq('user_id', person).maybeSingle();
  // A failed lookup proves nothing.
  const isAdmin = own.error !== null || (own.data?.role === 'admin' && own.data.approved);
  return { accessToken: data.session.access_token, isAdmin };
}

/** Tells of the sessions that begin at this browser, here or in another tab, with the one there is. */
export async function watchSignIns(onSession: (user: { id: string; email: string }) => void): Promise<() => void> {
  const api = await sessionApi();
  const { data } = api.auth.onAuthStateChange((_event, session) => {
    const user = session?.user;
    // Not inside the callback: the client holds its lock while it runs.
    if (user) setTimeout(() => onSession({ id: user.id, email: user.email ?? '' }), 0);
  });
  return () => data.subscription.unsubscribe();
}
